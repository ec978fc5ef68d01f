"""The game object of a trace: its keys, the rule values in force, and the setup of the game."""

from dataclasses import dataclass
from typing import Any

from referee.cards import (
    COLORS,
    POWER_NAMED,
    POWER_OF,
    SOLO_CLANS,
    Power,
    cards_of,
    clan_of,
    powers_of,
)
from referee.events import Events, Fault, is_count, is_flag, list_of, one_of, or_null, shapes
from referee.values import KINDS, NEGATIVE, SOLO_VALUES, TABLE_VALUES, values_of

#: Moments at which a custom power acts outside a party's own event.
MOMENTS = ["after_party", "after_discard", "after_recruit", "turn_end", "age_end", "age_scored"]

#: The key of the rules under which the table's custom powers stand.
TABLE = "table.powers"

GAME_KEYS = {
    "trace", "game", "seed", "edition", "players", "mode", "rules", "clans", "strategies",
    "gave_up", "gave_up_age", "prestige_tokens", "events",
}  # fmt: skip
SOLO_MODES = ("solo-easy", "solo-regular", "solo-hard")
MODES = ("standard", "recruitment", *SOLO_MODES)


@dataclass(frozen=True)
class Setting:
    """Everything fixed for a whole game; `seats` include Bruno, `rules` are all values in force."""

    edition: str
    mode: str
    solo: bool
    seats: int
    ages: int
    colors: tuple[str, ...]
    clans: list[str]
    power_of: dict[str, Power]
    cards: list[str]
    prestige_tokens: dict[str, list[int]]
    gave_up: list[str | None]
    gave_up_age: list[int | None]
    rules: dict[str, Any]

    @property
    def pool(self) -> int:
        """The number of open cards at the beginning of an age."""
        number: int = self.rules["pool_per_player"] * self.seats
        return number

    @property
    def refilled_to(self) -> int:
        """The number of open cards after the refill at the end of a turn; 0 for no refill."""
        recruits = self.solo or self.mode == "recruitment"
        number: int = self.rules["recruitment_pool" if recruits else "pool_refill"]
        return number

    def of(self, clan: str, name: str) -> Any:
        """A clan's value."""
        return self.rules[f"{clan}.{name}"]

    def sided(self, clan: str, name: str) -> list[int]:
        """A clan's value that has a list for small and a list for large tables."""
        numbers: list[int] = self.of(clan, f"{name}_{'2_3' if self.seats <= 3 else '4_6'}")
        return numbers

    def pays(self, age: int) -> list[int]:
        """The token of each place at the end of an age, counted from the lowest; 0 for none."""
        places: list[int] = self.rules[f"pays.age_{age}"]
        return places

    @property
    def table_powers(self) -> list[str]:
        """The names of the custom powers that belong to the table."""
        return [text.rpartition("@")[0].rpartition(":")[2] for text in self.rules.get(TABLE, [])]

    def with_power(self, power: Power) -> list[str]:
        """The clans in play that have the power."""
        return [clan for clan in self.clans if self.power_of[clan] is power]

    def gives_up(self, player: int, age: int) -> str | None:
        """The clan that a player may not lead in an age."""
        return self.gave_up[player] if self.gave_up_age[player] in (None, age) else None

    def is_wild(self, card: str) -> bool:
        """Whether the card is of a wild clan."""
        return self.power_of[clan_of(card)] is Power.WILD

    def is_scored(self, card: str) -> bool:
        """Whether the card counts when parties are scored."""
        return not self.is_wild(card) or self.of(clan_of(card), "scored")


def read_game(trace: Any) -> tuple[Events, Setting]:
    """Check the game object of a trace; return its events and its setting."""
    if type(trace) is not dict or trace.keys() != GAME_KEYS:
        keys = sorted(map(str, trace)) if type(trace) is dict else trace
        game = trace.get("game") if type(trace) is dict else None
        raise Fault(game, None, "keys of the game object", sorted(GAME_KEYS), keys)
    events = Events(trace["game"], trace["events"])
    require = events.require
    events.equal("trace version", 1, trace["trace"])
    require(is_count(trace["game"]), "game number", "a whole number", trace["game"])
    require(is_count(trace["seed"]), "seed", "a whole number", trace["seed"])
    require(type(trace["events"]) is list, "events", "a list", trace["events"])
    edition, mode, players = trace["edition"], trace["mode"], trace["players"]
    require(edition in POWER_OF, "edition", sorted(POWER_OF), edition)
    require(mode in MODES, "mode", MODES, mode)
    solo = mode in SOLO_MODES
    possible = (1,) if solo else (2, 3, 4, 5, 6)
    require(type(players) is int and players in possible, "players", possible, players)
    require(not solo or edition == "second", "solo mode is the 2nd edition's", "second", edition)
    names = trace["strategies"]
    named = list_of(lambda name: type(name) is str)(names) and len(names) == players
    require(named, "strategies", f"{players} names", names)
    seats = 2 if solo else players
    require(type(trace["rules"]) is dict, "rules", "an object", trace["rules"])
    powers = _powers(events, trace["rules"], edition)
    _check_rules(events, trace["rules"], powers, solo)
    refill = trace["rules"]["pool_refill"] if mode != "standard" else 0
    events.equal("R35: Recruitment refills the pool by its own number", 0, refill)
    _clans(events, trace["clans"], trace["rules"], powers, solo, seats)
    _check_prestige_tokens(events, trace["prestige_tokens"], trace["rules"], edition, seats, solo)
    setting = _setting(trace, powers, seats, solo)
    _check_given_up(events, setting, players)
    events.kinds = shapes(seats, solo, set(setting.cards), setting.clans, setting.colors)
    if setting.with_power(Power.CUSTOM) or setting.table_powers:
        actions = list_of(lambda value: type(value) is dict)
        events.kinds["party"]["actions"] = actions
        events.kinds["power"] = {
            "player": events.kinds["pass"]["player"],
            "clan": or_null(one_of(*setting.clans)),
            "moment": one_of(*MOMENTS),
            "actions": actions,
        }
    if setting.table_powers:
        events.kinds["power"]["power"] = or_null(one_of(*setting.table_powers))
    if _several(setting):
        events.kinds["age_end"]["by_clan"] = lambda value: type(value) is dict
    return events, setting


def _powers(events: Events, rules: dict[str, Any], edition: str) -> dict[str, Power]:
    """The power of every clan; changes of clans must name known powers and clans."""
    for name, change in rules.items():
        if name.startswith("clans."):
            out = change is False and name.removeprefix("clans.") in POWER_OF[edition]
            named = type(change) is str and (change in POWER_NAMED or ".py:" in change)
            events.require(out or named, "changes of clans", f"a fitting {name}", change)
    return powers_of(edition, rules)


def _several(setting: Setting) -> bool:
    """Whether several clans with the same power score at the end of an age."""
    scoring = (Power.SEA_TRACK, Power.LARGEST_TOKEN, Power.SETTLEMENT_BOARD)
    return any(len(setting.with_power(power)) > 1 for power in scoring)


def _clans(
    events: Events,
    clans: Any,
    rules: dict[str, Any],
    powers: dict[str, Power],
    solo: bool,
    seats: int,
) -> None:
    """Check the clans in play: the right number, each a clan of the rules."""
    names = type(clans) is list and all(type(clan) is str for clan in clans)
    events.require(names, "clans in play", "a list of names", clans)
    known = set(clans) <= set(powers) and len(set(clans)) == len(clans)
    events.require(known, "clans in play", "different clans of these rules", clans)
    if solo:
        events.equal("clans of the solo mode", sorted(SOLO_CLANS), sorted(clans))
    else:
        wanted = rules["clans_2_3" if seats <= 3 else "clans_4_6"]
        events.equal("number of clans in play", wanted, len(clans))


def _keys_of(clan: str, power: Power) -> set[str]:
    """The names of a clan's values."""
    return {f"{clan}.{name}" for name in values_of(power)}


def _check_rules(
    events: Events, rules: dict[str, Any], powers: dict[str, Power], solo: bool
) -> None:
    """Check the rules object: all values and no others, with the right types."""
    needed = {*TABLE_VALUES}
    for clan, power in powers.items():
        needed |= _keys_of(clan, power)
    known = needed | {*SOLO_VALUES, TABLE} | {name for name in rules if name.startswith("clans.")}
    unknown = sorted(map(str, rules.keys() - known))
    events.require(not unknown, "names of the rule values", "known names only", unknown)
    missing = sorted((needed | ({*SOLO_VALUES} if solo else set())) - rules.keys())
    events.require(not missing, "rule values in force", "all that the game uses", missing)
    for name, value in rules.items():
        key = name.rpartition(".")[2]
        if name.startswith("clans.") or name == TABLE:
            continue
        if KINDS[key] is bool:
            fits = is_flag(value)
        elif KINDS[key] is list:
            fits = list_of(is_count)(value)
        else:
            fits = is_count(value) or (key in NEGATIVE and type(value) is int)
        events.require(fits, "rule values in force", f"a fitting {name}", value)
    for name, value in rules.items():
        if name == "party_points" or name.endswith(".settlement"):
            events.equal(f"length of {name}", 7, len(value))


def _setting(trace: dict[str, Any], powers: dict[str, Power], seats: int, solo: bool) -> Setting:
    """The setting of a checked game object."""
    edition, clans, rules = trace["edition"], trace["clans"], trace["rules"]
    return Setting(
        edition=edition,
        mode=trace["mode"],
        solo=solo,
        seats=seats,
        ages=rules["ages_2_3" if seats <= 3 else "ages_4_6"],
        colors=COLORS[edition],
        clans=list(clans),
        power_of={clan: powers[clan] for clan in clans},
        cards=cards_of(edition, clans, rules),
        prestige_tokens=trace["prestige_tokens"],
        gave_up=trace["gave_up"],
        gave_up_age=trace["gave_up_age"],
        rules=rules,
    )


def _check_given_up(events: Events, setting: Setting, players: int) -> None:
    """Check what seats gave up: nobody or everybody a clan, as different as can be, in one age."""
    clans, ages = setting.gave_up, setting.gave_up_age
    leaders = [clan for clan in setting.clans if setting.power_of[clan] is not Power.WILD]
    fits = list_of(or_null(one_of(*leaders)))(clans) and len(clans) == players
    events.require(fits, "clans given up", f"{players} clans that can lead, or null", clans)
    if None in clans:
        events.equal("nobody gives up a clan where somebody does not", [None] * players, clans)
    else:
        most = min(players, len(leaders))
        events.equal("clans given up are different", most, len(set(clans)))
    known = [None, *range(1, setting.ages + 1)] if clans[0] else [None]
    one_age = type(ages) is list and all(age in known and age is not True for age in ages)
    events.require(one_age and len(set(ages)) == 1, "clans are given up in one age", known, ages)
    events.equal("an age for each seat", players, len(ages))


def _check_prestige_tokens(
    events: Events, tokens: Any, rules: dict[str, Any], edition: str, seats: int, solo: bool
) -> None:
    """Check setup step 1: the right tokens, ascending, and in solo the highest in red and blue."""
    colors, few = COLORS[edition], seats <= 3
    fits = type(tokens) is dict and all(map(list_of(is_count), tokens.values()))
    events.require(fits, "prestige tokens", "lists of numbers by color", tokens)
    events.equal("a list of prestige tokens a color", sorted(colors), sorted(tokens))
    wanted = rules["prestige_tokens.base"] + ([] if few else rules["prestige_tokens.four_plus"])
    laid = rules["tokens"]
    if laid:
        wanted, each = laid, len(laid) // 6
        by_hand = {color: sorted(laid[at * each :][:each]) for at, color in enumerate(colors)}
        events.equal("R42: prestige tokens as laid out by hand", by_hand, tokens)
    for color in colors:
        events.equal("prestige tokens a region", len(wanted) // 6, len(tokens[color]))
        events.equal("prestige tokens ascend", sorted(tokens[color]), tokens[color])
    seen = [value for color in colors for value in tokens[color]]
    events.equal("all prestige tokens, 4+ out with 2-3 players", sorted(wanted), sorted(seen))
    if solo and not laid:
        held = sorted(tokens["red"] + tokens["blue"])
        highest = sorted(wanted)[-len(held) :]
        events.equal("R34: red and blue hold the highest tokens", highest, held)
