"""The game object of a trace: its keys, the rule values in force, the setup of the game."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.cards import COLORS, POWER_OF, SOLO_CLANS, Power, cards_of, clan_of
from referee.events import Events, Fault, is_count, is_flag, list_of, shapes

GAME_KEYS = {
    "trace",
    "game",
    "seed",
    "edition",
    "players",
    "mode",
    "rules",
    "clans",
    "strategies",
    "prestige_tokens",
    "events",
}
SOLO_MODES = ("solo-easy", "solo-regular", "solo-hard")
MODES = ("standard", "recruitment", *SOLO_MODES)
NUMBERS = (
    "hand_limit",
    "party_limit",
    "dragons",
    "markers",
    "cards_per_clan",
    "pool_per_player",
    "recruitment_pool",
)
SWITCHES = ("ten_wild_wins", "optional_marker")
PARAMETERS = {
    Power.SEA_TRACK: ("last_space", "symbols", "prestige_4_6", "prestige_2_3"),
    Power.LARGEST_TOKEN: ("on_take", "age_4_6", "age_2_3"),
    Power.SETTLEMENT_BOARD: ("settlement",),
    Power.TIE_BREAK_TOKENS: ("tokens",),
    Power.COINS: ("coins",),
}


@dataclass(frozen=True)
class Setting:
    """What is fixed for a whole game. Seats count Bruno; values of powers not in play are empty."""

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
    hand_limit: int
    party_limit: int
    dragons: int
    markers: int
    pool: int
    recruitment_pool: int
    party_points: list[int]
    sea_last_space: int
    sea_symbols: list[int]
    sea_prestige: list[int]
    largest_on_take: int
    largest_age: list[int]
    settlement: list[int]
    tie_break_tokens: list[int]
    coins: list[int]
    ten_wild_wins: bool
    optional_marker: bool

    def plays(self, power: Power) -> bool:
        """Whether a clan in play has the power."""
        return power in self.power_of.values()

    def is_wild(self, card: str) -> bool:
        """Whether the card is of the wild clan."""
        return self.power_of[clan_of(card)] is Power.WILD


def read_game(trace: Any) -> tuple[Events, Setting]:
    """The events, ready to be taken, and the setting of a trace whose game object is in order."""
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
    named = type(trace["strategies"]) is list and all(type(s) is str for s in trace["strategies"])
    require(
        named and len(trace["strategies"]) == players,
        "strategies",
        f"{players} names",
        trace["strategies"],
    )
    seats = 2 if solo else players
    clans = _clans(events, trace["clans"], edition, solo, seats)
    _check_rules(events, trace["rules"], edition, clans)
    _check_prestige_tokens(events, trace["prestige_tokens"], trace["rules"], edition, seats, solo)
    setting = _setting(trace, seats, solo)
    events.kinds = shapes(seats, solo, set(setting.cards), clans, setting.colors)
    return events, setting


def _clans(events: Events, clans: Any, edition: str, solo: bool, seats: int) -> list[str]:
    names = type(clans) is list and all(type(clan) is str for clan in clans)
    events.require(names, "clans in play", "a list of names", clans)
    known = set(clans) <= set(POWER_OF[edition]) and len(set(clans)) == len(clans)
    events.require(known, "clans in play", f"different clans of the {edition} edition", clans)
    if solo:
        events.equal("clans of the solo mode", sorted(SOLO_CLANS), sorted(clans))
    else:
        events.equal("number of clans in play", 5 if seats <= 3 else 6, len(clans))
    return list(clans)


def _rule_keys(edition: str, clans: Iterable[str]) -> set[str]:
    keys = {"party_points", "prestige_tokens.base", "prestige_tokens.four_plus"}
    keys |= {*NUMBERS, *SWITCHES}
    for clan in clans:
        keys |= {f"{clan}.{name}" for name in PARAMETERS.get(POWER_OF[edition][clan], ())}
    return keys


def _check_rules(events: Events, rules: Any, edition: str, clans: list[str]) -> None:
    """The rules object: all that the game uses, nothing unknown, numbers and lists of numbers."""
    events.require(type(rules) is dict, "rules", "an object", rules)
    known = _rule_keys(edition, POWER_OF[edition]) | {"prestige_tokens.base_alternative"}
    unknown = sorted(map(str, rules.keys() - known))
    events.require(not unknown, "names of the rule values", "known names only", unknown)
    missing = sorted(_rule_keys(edition, clans) - rules.keys())
    events.require(not missing, "rule values in force", "all that the game uses", missing)
    for name, value in rules.items():
        if name in SWITCHES:
            fits = is_flag(value)
        elif name in NUMBERS or name.endswith((".last_space", ".on_take")):
            fits = is_count(value)
        else:
            fits = list_of(is_count)(value)
        events.require(fits, "rule values in force", f"a fitting {name}", value)
    lengths = {"party_points": 7, "prestige_tokens.base": 12, "prestige_tokens.four_plus": 6}
    ends = {".settlement": 7, ".tokens": 6, "_4_6": 3, "_2_3": 2}
    for name, value in rules.items():
        wanted = lengths.get(name) or next((n for e, n in ends.items() if name.endswith(e)), None)
        if wanted is not None:
            events.equal(f"length of {name}", wanted, len(value))


def _setting(trace: dict[str, Any], seats: int, solo: bool) -> Setting:
    """The setting of a checked game object."""
    edition, clans, rules = trace["edition"], trace["clans"], trace["rules"]
    power_of = {clan: POWER_OF[edition][clan] for clan in clans}
    clan_with = {power: clan for clan, power in power_of.items()}
    side = "2_3" if seats <= 3 else "4_6"

    def value(power: Power, name: str, otherwise: Any) -> Any:
        return rules[f"{clan_with[power]}.{name}"] if power in clan_with else otherwise

    return Setting(
        edition=edition,
        mode=trace["mode"],
        solo=solo,
        seats=seats,
        ages=2 if seats <= 3 else 3,
        colors=COLORS[edition],
        clans=clans,
        power_of=power_of,
        cards=cards_of(edition, clans, rules["cards_per_clan"]),
        prestige_tokens=trace["prestige_tokens"],
        hand_limit=rules["hand_limit"],
        party_limit=rules["party_limit"],
        dragons=rules["dragons"],
        markers=rules["markers"],
        pool=rules["pool_per_player"] * seats,
        recruitment_pool=rules["recruitment_pool"],
        party_points=rules["party_points"],
        sea_last_space=value(Power.SEA_TRACK, "last_space", 0),
        sea_symbols=value(Power.SEA_TRACK, "symbols", []),
        sea_prestige=value(Power.SEA_TRACK, f"prestige_{side}", []),
        largest_on_take=value(Power.LARGEST_TOKEN, "on_take", 0),
        largest_age=value(Power.LARGEST_TOKEN, f"age_{side}", []),
        settlement=value(Power.SETTLEMENT_BOARD, "settlement", []),
        tie_break_tokens=value(Power.TIE_BREAK_TOKENS, "tokens", []),
        coins=value(Power.COINS, "coins", []),
        ten_wild_wins=rules["ten_wild_wins"],
        optional_marker=rules["optional_marker"],
    )


def _check_prestige_tokens(
    events: Events, tokens: Any, rules: dict[str, Any], edition: str, seats: int, solo: bool
) -> None:
    """Setup step 1: ascending, the right multiset, and in solo the four highest in red and blue."""
    colors, few = COLORS[edition], seats <= 3
    fits = type(tokens) is dict and all(map(list_of(is_count), tokens.values()))
    events.require(fits, "prestige tokens", "lists of numbers by color", tokens)
    events.equal("a list of prestige tokens a color", sorted(colors), sorted(tokens))
    for color in colors:
        events.equal("prestige tokens a region", 2 if few else 3, len(tokens[color]))
        events.equal("prestige tokens ascend", sorted(tokens[color]), tokens[color])
    wanted = rules["prestige_tokens.base"] + ([] if few else rules["prestige_tokens.four_plus"])
    seen = [value for color in colors for value in tokens[color]]
    events.equal("all prestige tokens, 4+ out with 2-3 players", sorted(wanted), sorted(seen))
    if solo:
        red_blue = sorted(tokens["red"] + tokens["blue"])
        events.equal("solo: red and blue hold the four highest", sorted(wanted)[-4:], red_blue)
