"""Turn rules, clans and players into the records that the kernel reads."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn, SupportsInt

import numpy as np

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import (
    DECISIONS,
    ENTRY_DTYPE,
    HIDDEN_DTYPE,
    MAX_PLAYERS,
    MAX_SLOTS,
    NONE,
    NOT_SOLO,
    ORDINARY,
    PARAMETERS,
    REGIONS,
    TABLE_DTYPE,
    VIEW_DTYPE,
)
from ethnos_sim.simulator.preparing.rule_records import (
    CLAN_DTYPE,
    VALUES_DTYPE,
    cached_rule_records,
)
from ethnos_sim.simulator.rules import Rules, unknown_clan_hint
from ethnos_sim.simulator.tables.modes import SOLO, SOLO_CLANS, STANDARD, check_mode, check_players
from ethnos_sim.simulator.utilities.errors import InvalidGame

if TYPE_CHECKING:
    from ethnos_sim.simulator.custom_powers.declaring import CustomPower


class Stranger(NamedTuple):
    """A strategy from outside this package.

    name      its name
    file      the file that declares it, None if the running program does
    strategy  the strategy itself
    """

    name: str
    file: str | None
    strategy: Hashable


@dataclass(frozen=True, slots=True)
class Seat:
    """A player for the kernel: a name, compiled code by address, and parameter values.

    `hooks` has a bit for each question (`records.DECISIONS`) that the code at `address` answers.
    Of the other questions, the `policy` (a second seat) answers those for which it has a hook. The
    code at `default_address` answers the rest.
    A restricted player may lead the clan `never_leads` only in the ages of `free_ages` (bits).
    `weights` (float32) are passed to the code by address, so they live as long as the seat does.
    `source_lines` has questions that the strategy answers, with `FILE:LINE` of the code.
    `answers` (MOVE_DTYPE) are a person's answers, also passed by address.
    `strangers` are the strategies from outside this package whose code plays: the player's
    strategy, its policy, or both.
    """

    name: str
    address: int
    default_address: int
    hooks: int
    parameters: tuple[float, ...] = ()
    policy: Seat | None = None
    never_leads: str | None = None
    free_ages: int = 0
    weights: np.ndarray | None = field(default=None, compare=False)
    source_lines: tuple[tuple[str, str], ...] = ()
    answers: np.ndarray | None = field(default=None, compare=False)
    strangers: tuple[Stranger, ...] = field(default=(), compare=False)

    def __copy__(self) -> Seat:
        """This seat itself, as nothing in it ever changes."""
        return self

    def __deepcopy__(self, copies: dict[int, object]) -> Seat:
        """This seat itself, as its code knows the addresses of its weights and answers."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: a seat holds addresses of this process."""
        raise TypeError(
            f"the seat of '{self.name}' cannot be pickled, because it holds addresses of this "
            "process; pickle a line-up and make the table of it in the other process"
        )

    def source_line(self, question: str) -> str | None:
        """`FILE:LINE` of this strategy's answer to a question; None if a default answers."""
        return dict(self.source_lines).get(question)

    def address_for(self, decision: int) -> int:
        """The address of the code that answers a question, by its number."""
        if self.hooks >> decision & 1:
            return self.address
        return self.default_address if self.policy is None else self.policy.address_for(decision)


def number_of_sides(players: int) -> int:
    """The number of sides of a table: in solo, Bruno is the second side."""
    return max(players, 2)


def check_table(rules: Rules, players: int, mode: str, clans: Sequence[str]) -> tuple[str, ...]:
    """The clans in play; InvalidGame where mode, players, rules and clans make no game.

    This compiles nothing, whereas making a table's seats compiles code.
    """
    check_mode(mode)
    check_players(players, mode, rules.edition)
    check_mode_values(rules, players, mode)
    return check_clans(rules, players, mode, clans)


def check_clans(rules: Rules, players: int, mode: str, clans: Sequence[str]) -> tuple[str, ...]:
    """The clans in play; InvalidGame for an unknown, repeated, missing or surplus clan."""
    unknown = [
        f"the {rules.edition} edition has no {rules.words.clan} '{clan}'"
        f"{unknown_clan_hint(clan, rules)}"
        for clan in dict.fromkeys(clans)
        if clan not in rules.clans
    ]
    if unknown:
        raise InvalidGame("\n".join(unknown))
    for clan in clans:
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
    slots = len(slot_clans(rules, clans))
    if slots > MAX_SLOTS:
        raise InvalidGame(
            f"{', '.join(clans)} have {slots} times the cards of a clan; at most {MAX_SLOTS} fit"
        )
    dealt = rules.cards_dealt(players)
    cards = slots * rules.number("cards_per_clan")
    if cards < dealt:
        raise InvalidGame(
            f"{cards} cards are too few for the {dealt} that are dealt to "
            f"{players} players when an age begins"
        )
    return tuple(clans)


def leading_clans(rules: Rules) -> tuple[str, ...]:
    """The clans that can lead a party: all except wild clans."""
    return tuple(clan for clan in rules.clans if rules.power_of(clan) is not Power.WILD)


def check_giving_up(rules: Rules, mode: str, clans: Sequence[str], seats: Sequence[Seat]) -> None:
    """Raise InvalidGame unless every seat of a table can give up a clan that the deal draws."""
    if mode in SOLO:
        raise InvalidGame("in solo nobody gives up a clan")
    if len(set(clans) & set(leading_clans(rules))) < 2:
        raise InvalidGame(f"only one clan of {', '.join(clans)} can lead; a seat cannot give it up")
    for seat in seats:
        if seat.never_leads is not None:
            raise InvalidGame(f"'{seat.name}' has given up a clan of its own already")


def check_mode_values(rules: Rules, players: int, mode: str) -> None:
    """Raise InvalidGame for a value that does not fit the mode or the players (R35, R42)."""
    standard, recruitment = rules.number("pool_refill"), rules.number("recruitment_pool")
    if standard and mode != STANDARD:
        raise InvalidGame(
            f"pool_refill = {standard} has no place in mode '{mode}', which refills the pool to "
            f"recruitment_pool = {recruitment}: set that instead"
        )
    laid, needed = len(rules.numbers("tokens")), len(rules.prestige_tokens(players))
    if laid and laid != needed:
        raise InvalidGame(
            f"tokens lists {laid} prestige tokens, and a game with {players} players has {needed}"
        )


def home_slots(table: GameTable) -> np.ndarray:
    """The home slot (the first) of each clan of the rules, -1 for clans not in play (int64)."""
    slots = table.slots
    return np.array(
        [slots.index(clan) if clan in slots else NONE for clan in table.rules.clans], np.int64
    )


def slot_clans(rules: Rules, clans: Sequence[str]) -> tuple[str, ...]:
    """The clan of each slot; a clan with two or three times the cards takes two or three slots."""
    slots: list[str] = []
    for clan in clans:
        slots += [clan] * rules.number(clan, "times_cards")
    return tuple(slots)


def clan_records(rules: Rules, clans: Sequence[str]) -> np.ndarray:
    """The rules' clans as records (CLAN_DTYPE); clans in play have their custom powers' code.

    Raises:
        PowerError: the file of a custom power was not loaded, or the power has changed.
    """
    records = cached_rule_records(rules).clans
    custom = {clan: power for clan, power in rules.custom_powers if clan in clans}
    if not custom:
        return records
    records = records.copy()
    for clan, reference in custom.items():
        for name, number in _power_fields(reference).items():
            records[name][rules.clans.index(clan)] = number
    return records


def _power_fields(reference: str) -> dict[str, int]:
    """The fields of a record that describe a loaded custom power."""
    # Import only if needed: most games have no custom power, and these modules are large.
    from ethnos_sim.simulator.custom_powers.compiling import compiled_power
    from ethnos_sim.simulator.custom_powers.declaring import number_of
    from ethnos_sim.simulator.custom_powers.registry import loaded_power

    power = loaded_power(reference)
    return {
        "power_code": compiled_power(power).address,
        "power_name": number_of(power.name),
        "moments": power.moment_mask,
    }


def values_record(rules: Rules) -> np.ndarray:
    """The table's values as a record (shape (1,), VALUES_DTYPE), with the code of its powers.

    Raises:
        PowerError: as for `clan_records`.
    """
    values = cached_rule_records(rules).values
    if not rules.table_powers:
        return values
    values = values.copy()
    for index, reference in enumerate(rules.table_powers):
        for name, number in _power_fields(reference).items():
            values[name][0, index] = number
    return values


def view_records(
    rules: Rules, players: int, mode: str, clan_sets: Sequence[Sequence[str]]
) -> np.ndarray:
    """The views of tables before the first age, one for each clan set (VIEW_DTYPE).

    Raises:
        PowerError: as for `clan_records`.
    """
    # Import late: this loads or compiles the kernel, which a program that only plans never needs.
    from ethnos_sim.simulator.preparing.tables import prepare_tables

    asked = np.zeros(len(clan_sets), TABLE_DTYPE)
    asked["players"] = players
    asked["solo"] = SOLO.get(mode, NOT_SOLO)
    asked["recruitment"] = mode != STANDARD
    asked["clan_count"] = [len(clans) for clans in clan_sets]
    number_of = {clan: number for number, clan in enumerate(rules.clans)}
    for row, clans in zip(asked["clans"], clan_sets, strict=True):
        row[: len(clans)] = [number_of[clan] for clan in clans]
    named = sorted({clan for clans in clan_sets for clan in clans})
    views = np.zeros(len(clan_sets), VIEW_DTYPE)
    values, clan_values = values_record(rules), clan_records(rules, named)
    prepare_tables(values, clan_values, asked, views, np.zeros(0, HIDDEN_DTYPE))
    return views


def hidden_record() -> np.ndarray:
    """The hidden record of any table before the first age (shape (1,), HIDDEN_DTYPE)."""
    from ethnos_sim.simulator.preparing.tables import prepare_tables

    hiddens = np.zeros(1, HIDDEN_DTYPE)
    nothing = (np.zeros(0, kind) for kind in (CLAN_DTYPE, TABLE_DTYPE, VIEW_DTYPE))
    prepare_tables(np.zeros(1, VALUES_DTYPE), *nothing, hiddens)
    return hiddens


def entry_records(seats: Sequence[Seat], clans: Sequence[str]) -> np.ndarray:
    """A line-up for the kernel, with one record for each entry (shape (6,), ENTRY_DTYPE).

    Args:
        seats: the line-up.
        clans: the clans of the rules, in the order of their numbers.
    """
    entries = np.zeros(MAX_PLAYERS, ENTRY_DTYPE)
    for entry, seat in zip(entries, seats, strict=False):
        _fill_entry(entry["own"], seat)
        clan = seat.never_leads
        entry["never_leads"] = NONE if clan not in clans else clans.index(clan)
    return entries


def _fill_entry(private_record: np.void, seat: Seat) -> None:
    """Write a strategy's code, parameters and weights into a private record."""
    for decision in range(len(DECISIONS)):
        private_record["addresses"][decision] = seat.address_for(decision)
        if seat.policy is not None:
            private_record["policy_addresses"][decision] = seat.policy.address_for(decision)
    private_record["free_ages"] = seat.free_ages
    if seat.answers is not None:
        private_record["memory"][:2] = seat.answers.ctypes.data, seat.answers.size
    for i, player in enumerate([seat] if seat.policy is None else [seat.policy, seat]):
        first = PARAMETERS * i
        private_record["parameters"][first : first + len(player.parameters)] = player.parameters
        if player.weights is not None:
            private_record["weights"][i] = player.weights.ctypes.data
            private_record["weights_size"][i] = player.weights.size


def seating_count(entries: Sequence[object]) -> int:
    """How many different seatings a line-up has, which is the smallest period of its entries."""
    players = len(entries)
    return next(
        period
        for period in range(1, players + 1)
        if players % period == 0 and all(entries[i] == entries[i % period] for i in range(players))
    )


@dataclass(frozen=True)
class GameTable:
    """A table: all that the games of a batch have in common.

    Each deal is played in all different seatings of the line-up, or in `seatings` of them. `kind`
    is one of KINDS: whether every seat gives up a clan.
    """

    rules: Rules
    players: int
    mode: str
    clans: tuple[str, ...]
    seats: tuple[Seat, ...]
    seatings: int | None = None
    kind: str = ORDINARY

    @classmethod
    def prepare(
        cls,
        rules: Rules,
        players: int,
        mode: str,
        clans: Sequence[str],
        seats: Sequence[Seat],
        seatings: int | None = None,
        kind: str = ORDINARY,
    ) -> GameTable:
        """Check the arguments and make a table; InvalidGame says which of them do not fit."""
        chosen = check_table(rules, players, mode, clans)
        if len(seats) != players:
            raise InvalidGame(f"{players} players need {players} strategies, not {len(seats)}")
        if kind != ORDINARY:
            check_giving_up(rules, mode, chosen, seats)
        return cls(rules, players, mode, chosen, tuple(seats), seatings, kind)

    @functools.cached_property
    def rotations(self) -> int:
        """The number of seatings of a deal; in seating r, seat s has entry (s + r) mod players."""
        return self.seatings or seating_count(self.seats)

    @property
    def sides(self) -> int:
        """The sides of the table: the players, and Bruno in solo."""
        return number_of_sides(self.players)

    @property
    def solo(self) -> bool:
        """Whether the game is against Bruno."""
        return self.mode in SOLO

    @property
    def strangers(self) -> set[Stranger]:
        """The strategies from outside this package whose code plays at the table."""
        return {stranger for seat in self.seats for stranger in seat.strangers}

    @functools.cached_property
    def slots(self) -> tuple[str, ...]:
        """The clan of each slot; a card's number is `6 * slot + color`."""
        return slot_clans(self.rules, self.clans)

    def clans_with(self, power: Power) -> list[str]:
        """The clans in play that have a power."""
        return [clan for clan in self.clans if self.rules.power_of(clan) is power]

    def card_name(self, card: int) -> str:
        """A card as `clan:color`."""
        return f"{self.slots[card // REGIONS]}:{self.rules.colors[card % REGIONS]}"

    def card_names(self, once: SupportsInt, twice: SupportsInt) -> tuple[str, ...]:
        """The names of a set of cards (two bit masks); a card with both copies is named twice."""
        return tuple(
            self.card_name(card)
            for card in range(REGIONS * len(self.slots))
            for plane in (int(once), int(twice))
            if plane >> card & 1
        )

    @property
    def custom_powers(self) -> tuple[str, ...]:
        """The references of the custom powers of the clans in play, and of the table itself."""
        of_clans = (power for clan, power in self.rules.custom_powers if clan in self.clans)
        return (*of_clans, *self.rules.table_powers)

    @property
    def table_powers(self) -> list[str]:
        """The names of the custom powers that belong to the table."""
        return [text.partition("@")[0].rpartition(":")[2] for text in self.rules.table_powers]

    def custom_power(self, slot: int) -> CustomPower | None:
        """The custom power of a slot, or of the table from MAX_SLOTS on; None for a printed power.

        Raises:
            PowerError: its file was not loaded, or the power has changed.
        """
        # Import only if needed: most games have no custom power, and these modules are large.
        from ethnos_sim.simulator.custom_powers.registry import loaded_power

        of_table = slot >= MAX_SLOTS
        reference = (
            self.rules.table_powers[slot - MAX_SLOTS]
            if of_table
            else self.rules.custom_power(self.slots[slot])
        )
        return None if reference is None else loaded_power(reference)
