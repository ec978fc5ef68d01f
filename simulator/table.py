"""The prepared table: rules, clans and players turned into the records that the kernel plays on."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, SupportsInt

import numpy as np

from ethnos_sim.simulator.errors import InvalidGame
from ethnos_sim.simulator.modes import SOLO, SOLO_CLANS, STANDARD, check_mode, check_players
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import (
    DECISIONS,
    HIDDEN_DTYPE,
    MAX_PLAYERS,
    MAX_SLOTS,
    NONE,
    NOT_SOLO,
    OWN_DTYPE,
    PARAMETERS,
    REGIONS,
    RULES_DTYPE,
    VIEW_DTYPE,
)
from ethnos_sim.simulator.rules import Rules, Value, unknown_clan_hint

if TYPE_CHECKING:
    from ethnos_sim.simulator.custom_powers.declaring import CustomPower

#: Markers that never reach a region: the score marker, and one more on each sea track.
SCORE_MARKERS = 1
SEA_MARKERS = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """A player for the kernel: a name, compiled code by address, and parameter values.

    `hooks` has a bit for each question (`records.DECISIONS`) that the code at `address` answers;
    its `policy`, if any, answers the rest, and the code at `default_address` what nobody else does.
    A restricted player may not lead the clan `never_leads`; it may lead no other than
    `prefers_leading` while it holds that clan's cards.
    The code at `filter_address`, if any, replaces the answers that `restrictions` forbids.
    `weights` (float32) are handed to the code by address, so they live as long as the seat does.
    `places` tells where the source of the strategy's answers stands: question and `FILE:LINE`.
    Where Python runs the code of a player, `uncompiled`, it runs that of custom powers too.
    """

    name: str
    address: int
    default_address: int
    hooks: int
    parameters: tuple[float, ...] = ()
    policy: Seat | None = None
    never_leads: str | None = None
    prefers_leading: str | None = None
    restrictions: int = 0
    filter_address: int = 0
    weights: np.ndarray | None = field(default=None, compare=False)
    places: tuple[tuple[str, str], ...] = ()
    uncompiled: bool = False

    def place(self, question: str) -> str | None:
        """`FILE:LINE` of this strategy's answer to a question; None where a default answers."""
        return dict(self.places).get(question)

    def answering(self, decision: int) -> int:
        """The address of the code that answers a question, by its number."""
        if self.hooks >> decision & 1:
            return self.address
        return self.default_address if self.policy is None else self.policy.answering(decision)


def sides_of(players: int) -> int:
    """The sides of a table for so many players: one player faces Bruno."""
    return max(players, 2)


def check_clans(rules: Rules, players: int, mode: str, clans: Sequence[str]) -> tuple[str, ...]:
    """The clans in play; InvalidGame for an unknown, repeated, missing or surplus clan."""
    for clan in clans:
        if clan not in rules.clans:
            has_none = f"the {rules.edition} edition has no {rules.words.clan} '{clan}'"
            raise InvalidGame(f"{has_none}{unknown_clan_hint(clan, rules.clans)}")
        if list(clans).count(clan) > 1:
            raise InvalidGame(f"'{clan}' is named twice; every {rules.words.clan} plays once")
    needed = rules.clans_in_play(players)
    if len(clans) != needed:
        raise InvalidGame(f"{players} players need {needed} {rules.words.clans}, not {len(clans)}")
    if mode in SOLO and set(clans) != set(SOLO_CLANS):
        raise InvalidGame(f"the solo mode is played with {', '.join(SOLO_CLANS)}")
    wild = [clan for clan in clans if rules.power_of(clan) is Power.WILD]
    if mode in SOLO and wild:
        raise InvalidGame(
            f"'{wild[0]}' is wild and cannot lead, and in solo each clan leads for Bruno: give it "
            "another power"
        )
    slots = len(clan_slots(rules, clans))
    if slots > MAX_SLOTS:
        raise InvalidGame(
            f"{', '.join(clans)} have {slots} times the cards of a clan; at most {MAX_SLOTS} fit"
        )
    dealt = rules.number("pool_per_player") * sides_of(players) + players
    dealt += rules.number("bruno.cards") if mode in SOLO else 0
    cards = slots * rules.number("cards_per_clan")
    if cards < dealt:
        raise InvalidGame(
            f"{cards} cards are too few for the {dealt} that are dealt to "
            f"{players} players when an age begins"
        )
    return tuple(clans)


def check_refill(rules: Rules, mode: str) -> None:
    """InvalidGame where a rule of the table's own would refill the pool in Recruitment (R35)."""
    own, recruitment = rules.number("pool_refill"), rules.number("recruitment_pool")
    if own and mode != STANDARD:
        raise InvalidGame(
            f"pool_refill = {own} has no place in mode '{mode}', which refills the pool to "
            f"recruitment_pool = {recruitment}: set that instead"
        )


def clan_slots(rules: Rules, clans: Sequence[str]) -> tuple[str, ...]:
    """The clan of each slot; a clan with twice or three times the cards takes as many slots."""
    slots: list[str] = []
    for clan in clans:
        slots += [clan] * rules.number(clan, "times_cards")
    return tuple(slots)


def clan_plane(slots: Sequence[str], *clans: str | None) -> int:
    """The plane of some clans' cards; empty where none of them is in play."""
    return sum(0b111111 << REGIONS * slot for slot, name in enumerate(slots) if name in clans)


_OF_TABLE = RULES_DTYPE.names or ()


def _write(record: np.ndarray, name: str, value: Value, slot: int | None = None) -> None:
    """Write a value to the field of a name, if there is one, at a slot; a list with its length."""
    if name not in _OF_TABLE:
        return
    target = record[name] if slot is None else record[name][slot : slot + 1]
    if not isinstance(value, tuple):
        target[...] = value
        return
    target[..., : len(value)] = value
    if f"{name}_count" in _OF_TABLE:
        record[f"{name}_count"][slot] = len(value)


def rules_record(rules: Rules, players: int, mode: str, slots: Sequence[str]) -> np.ndarray:
    """The rule values as they hold at this table (shape (), RULES_DTYPE).

    A value whose name (`Field.record`) is a field's stands there; the others of the table are made
    of several, or hold for a mode or an age.
    """
    record = np.zeros((), RULES_DTYPE)
    for name, entry in rules.fields.items():
        clan = name.partition(".")[0]
        of_clan = [slot for slot, each in enumerate(slots) if each == clan]
        for slot in of_clan if entry.powers else [None]:
            if entry.counts_with(players):
                _write(record, entry.record, rules.value(name), slot)
    record["last_dragon"] = rules.ending_dragon
    record["copies"] = rules.number("cards_per_clan") // REGIONS
    record["first_pool"] = rules.number("pool_per_player") * sides_of(players)
    tokens = rules.prestige_tokens(players)
    _write(record, "prestige_tokens", tokens)
    record["tokens_per_region"] = len(tokens) // REGIONS
    ages = rules.ages(players)
    for age in range(1, ages + 1):
        paid = rules.pays(age)
        record["pays"][age - 1, : len(paid)] = paid
    if mode != STANDARD:
        record["pool_refill"] = rules.number("recruitment_pool")
    if mode in SOLO:
        record["bruno_cards"][ages if rules.number("bruno.cards_each_age") else 1 :] = 0
    return record


def view_record(rules: Rules, players: int, mode: str, clans: Sequence[str]) -> np.ndarray:
    """The open record of a table before the first age (shape (1,), VIEW_DTYPE)."""
    views = np.zeros(1, VIEW_DTYPE)
    view = views[0]
    sides = sides_of(players)
    view["players"] = sides
    view["hands"] = players
    view["solo"] = SOLO.get(mode, NOT_SOLO)
    view["ages"] = rules.ages(players)
    slots = clan_slots(rules, clans)
    view["slots"] = len(slots)
    view["leaders_up"] = sum(1 << slots.index(clan) for clan in clans)
    view["clan"] = NONE
    view["power"] = NONE
    view["slot_of_power"] = NONE
    for slot, clan in enumerate(slots):
        power = rules.power_of(clan)
        view["clan"][slot] = rules.clans.index(clan)
        view["power"][slot] = power
        view["home"][slot] = slots.index(clan)
        if view["slot_of_power"][power] == NONE:
            view["slot_of_power"][power] = slot
        view["clan_cards"][slot] = clan_plane(slots, clan)
        view["power_cards"][power] |= np.uint64(clan_plane(slots, clan))
    for color in range(REGIONS):
        view["color_cards"][color] = sum(1 << REGIONS * s + color for s in range(len(slots)))
    view["all_cards"] = (1 << REGIONS * len(slots)) - 1
    wild = [clan for clan in clans if rules.power_of(clan) is Power.WILD]
    view["wild_cards"] = clan_plane(slots, *wild)
    unscored = [clan for clan in wild if not rules.number(clan, "scored")]
    view["unscored_cards"] = clan_plane(slots, *unscored)
    view["rules"] = rules_record(rules, players, mode, slots)
    view["largest_holder"] = NONE
    view["most_markers_of"] = NONE
    view["token_owner"] = NONE
    tracks = sum(rules.power_of(clan) is Power.SEA_TRACK for clan in clans)
    view["supply"][:sides] = max(rules.number("markers") - SCORE_MARKERS - SEA_MARKERS * tracks, 0)
    return views


def hidden_record() -> np.ndarray:
    """The hidden record of a table before the first age (shape (1,), HIDDEN_DTYPE)."""
    hiddens = np.zeros(1, HIDDEN_DTYPE)
    hiddens["ten_wild_winner"] = NONE
    hiddens["result"]["third_dragon"] = NONE
    return hiddens


def entry_records(seats: Sequence[Seat], slots: Sequence[str]) -> np.ndarray:
    """The line-up's private records, one an entry (shape (6,), OWN_DTYPE)."""
    entries = np.zeros(MAX_PLAYERS, OWN_DTYPE)
    for entry, seat in zip(entries, seats, strict=False):
        for decision in range(len(DECISIONS)):
            entry["addresses"][decision] = seat.answering(decision)
            if seat.policy is not None:
                entry["policy_addresses"][decision] = seat.policy.answering(decision)
        entry["never_leads"] = clan_plane(slots, seat.never_leads)
        entry["prefers_leading"] = clan_plane(slots, seat.prefers_leading)
        entry["restrictions"] = seat.restrictions
        entry["filter_address"] = seat.filter_address
        for i, each in enumerate([seat] if seat.policy is None else [seat.policy, seat]):
            first = PARAMETERS * i
            entry["parameters"][first : first + len(each.parameters)] = each.parameters
            if each.weights is not None:
                entry["weights"][i] = each.weights.ctypes.data
                entry["weights_size"][i] = each.weights.size
    return entries


def period_of(entries: Sequence[object]) -> int:
    """How many different seatings a line-up has: the smallest period of its entries."""
    players = len(entries)
    return next(
        period
        for period in range(1, players + 1)
        if players % period == 0 and all(entries[i] == entries[i % period] for i in range(players))
    )


@dataclass(frozen=True)
class GameTable:
    """Everything about a batch that does not change from game to game.

    Each deal is played in all different seatings of the line-up unless `seatings` says in how many.
    """

    rules: Rules
    players: int
    mode: str
    clans: tuple[str, ...]
    seats: tuple[Seat, ...]
    seatings: int | None = None

    @classmethod
    def prepare(
        cls,
        rules: Rules,
        players: int,
        mode: str,
        clans: Sequence[str],
        seats: Sequence[Seat],
        seatings: int | None = None,
    ) -> GameTable:
        """Check everything and make a table; InvalidGame says what does not fit."""
        check_mode(mode)
        check_players(players, mode, rules.edition)
        check_refill(rules, mode)
        if len(seats) != players:
            raise InvalidGame(f"{players} players need {players} strategies, not {len(seats)}")
        chosen = check_clans(rules, players, mode, clans)
        return cls(rules, players, mode, chosen, tuple(seats), seatings)

    @property
    def rotations(self) -> int:
        """In how many seatings a deal is played; in the r-th, seat s has entry (s + r) mod n."""
        return self.seatings or period_of(self.seats)

    @property
    def sides(self) -> int:
        """The sides of the table: the players, and Bruno in solo."""
        return sides_of(self.players)

    @property
    def solo(self) -> bool:
        """Whether Bruno is on the other side."""
        return self.mode in SOLO

    @functools.cached_property
    def slots(self) -> tuple[str, ...]:
        """The clan of each slot of card numbers."""
        return clan_slots(self.rules, self.clans)

    def clans_with(self, power: Power) -> list[str]:
        """The clans in play that have a power."""
        return [clan for clan in self.clans if self.rules.power_of(clan) is power]

    def card_name(self, card: int) -> str:
        """A card as `clan:color`."""
        return f"{self.slots[card // REGIONS]}:{self.rules.colors[card % REGIONS]}"

    def card_names(self, once: SupportsInt, twice: SupportsInt) -> tuple[str, ...]:
        """The names of a set of cards, as two planes; twins are named twice."""
        return tuple(
            self.card_name(card)
            for card in range(REGIONS * len(self.slots))
            for plane in (int(once), int(twice))
            if plane >> card & 1
        )

    @property
    def has_custom_powers(self) -> bool:
        """Whether a clan in play has a custom power."""
        return any(map(self.rules.custom_power, self.clans))

    def custom_power(self, slot: int) -> CustomPower | None:
        """The custom power that a slot's clan has; None for a printed one.

        Raises:
            PowerError: its file was not loaded, or holds another power now.
        """
        # Most games have none, and what it takes to load one is large.
        from ethnos_sim.simulator.custom_powers.registry import loaded

        reference = self.rules.custom_power(self.slots[slot])
        return None if reference is None else loaded(reference)

    def _add_custom_powers(self, view: np.ndarray) -> None:
        """Write into an open record which clans have a custom power, and its code."""
        if not self.has_custom_powers:
            return
        from ethnos_sim.simulator.custom_powers.compiling import compiled, uncompiled
        from ethnos_sim.simulator.custom_powers.declaring import number_of

        by_python = any(seat.uncompiled for seat in self.seats)
        for slot in range(len(self.slots)):
            power = self.custom_power(slot)
            if power is not None:
                code = uncompiled(power) if by_python else compiled(power)
                view["power_code"][slot] = code.address
                view["power_name"][slot] = number_of(power.name)
                view["power_moments"][slot] = power.moments
                view["moments"] |= power.moments

    @functools.cached_property
    def _prepared(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The bytes of the records as the table is laid, made once: filling fields takes time."""
        view = view_record(self.rules, self.players, self.mode, self.clans)
        self._add_custom_powers(view[0])
        entries = entry_records(self.seats, self.slots)
        laid = np.repeat(view, 2), np.repeat(hidden_record(), 2), entries
        return laid[0].view(np.uint8), laid[1].view(np.uint8), laid[2].view(np.uint8)

    def records(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Fresh records for the kernel: two views, two hidden ones, and the entries."""
        views, hiddens, entries = (laid.copy() for laid in self._prepared)
        return views.view(VIEW_DTYPE), hiddens.view(HIDDEN_DTYPE), entries.view(OWN_DTYPE)
