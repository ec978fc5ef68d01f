"""The game object of a trace: the rule values in force, and the setup of the game."""

from typing import Any

from referee.cards import COLORS, SOLO_CLANS, Power, cards_of, clan_of, powers_of
from referee.events import SOLO_KEYS, Events, Fault
from referee.values import NAMES

#: The key of the rules under which the table's custom powers stand.
TABLE = "table.powers"

GAME_KEYS = {
    "trace", "game", "seed", "edition", "players", "mode", "rules", "clans", "strategies",
    "gave_up", "gave_up_age", "prestige_tokens", "events",
}  # fmt: skip
SOLO_MODES = ("solo-easy", "solo-regular", "solo-hard")
MODES = ("standard", "recruitment", *SOLO_MODES)

#: The players of a solo game.
PLAYER, BRUNO = 0, 1

#: Whose a custom power is: a clan's (the clan and None), or the table's (None and its name).
Owner = tuple[str | None, str | None]


class Setting:
    """Everything fixed for a whole game; `seats` include Bruno, `rules` are all values in force."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.rules: dict[str, Any] = trace["rules"]
        self.mode: str = trace["mode"]
        self.solo = self.mode in SOLO_MODES
        self.seats: int = 2 if self.solo else trace["players"]
        self.ages: int = self.rules["ages_2_3" if self.seats <= 3 else "ages_4_6"]
        self.colors = COLORS[trace["edition"]]
        self.clans: list[str] = trace["clans"]
        self.power_of = powers_of(trace["edition"], self.rules)
        self.cards = cards_of(self.colors, self.clans, self.rules)
        self.prestige_tokens: dict[str, list[int]] = trace["prestige_tokens"]
        self.gave_up: list[str | None] = trace["gave_up"]
        self.gave_up_age: list[int | None] = trace["gave_up_age"]

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
    def custom_powers(self) -> list[Owner]:
        """The owners of custom powers in the order in which they are called."""
        of_table = [
            text.rpartition("@")[0].rpartition(":")[2] for text in self.rules.get(TABLE, [])
        ]
        of_clans = self.with_power(Power.CUSTOM)
        return [*((clan, None) for clan in of_clans), *((None, power) for power in of_table)]

    def with_power(self, power: Power) -> list[str]:
        """The clans in play that have the power."""
        return [clan for clan in self.clans if self.power_of[clan] is power]

    def gives_up(self, player: int, age: int) -> str | None:
        """The clan that a player may not lead in an age."""
        return self.gave_up[player] if self.gave_up_age[player] in (None, age) else None

    def is_bruno(self, player: int) -> bool:
        """Whether a player is Chief Bruno, who has no hand and declines nothing (R24)."""
        return self.solo and player == BRUNO

    def is_wild(self, card: str) -> bool:
        """Whether the card is of a wild clan."""
        return self.power_of[clan_of(card)] is Power.WILD

    def is_scored(self, card: str) -> bool:
        """Whether the card counts when parties are scored."""
        return not self.is_wild(card) or self.of(clan_of(card), "scored")


def events_of(trace: dict[str, Any]) -> Events:
    """The events of a trace whose game object has exactly its keys."""
    if trace.keys() != GAME_KEYS:
        game, keys = trace.get("game"), sorted(trace)
        raise Fault(game, None, "keys of the game object", sorted(GAME_KEYS), keys)
    return Events(trace["game"], trace["events"])


def read_setting(trace: dict[str, Any], events: Events) -> Setting:
    """Check the game object of a trace; return its setting."""
    mode, players = trace["mode"], trace["players"]
    events.require(mode in MODES, "mode", MODES, mode)
    possible = (1,) if mode in SOLO_MODES else (2, 3, 4, 5, 6)
    events.require(players in possible, "players", possible, players)
    events.equal("strategies", players, len(trace["strategies"]))
    setting = Setting(trace)
    _check_rules(events, setting)
    _check_prestige_tokens(events, setting)
    _check_given_up(events, setting, players)
    _add_keys(events, setting)
    return setting


def _check_rules(events: Events, setting: Setting) -> None:
    """Check that there is no value without a rule here, and the number of clans in play.

    A missing value or clan is a fault where a rule needs it.
    """
    rules, clans = setting.rules, setting.clans
    unknown = [
        name
        for name in rules
        if not ({name, name.partition(".")[2]} & {*NAMES, TABLE} or name.startswith("clans."))
    ]
    events.equal("names of the rule values", [], unknown)
    refill = rules["pool_refill"] if setting.mode != "standard" else 0
    events.equal("R35: Recruitment refills the pool by its own number", 0, refill)
    if setting.solo:
        events.equal("clans of the solo mode", sorted(SOLO_CLANS), sorted(clans))
    else:
        wanted = rules["clans_2_3" if setting.seats <= 3 else "clans_4_6"]
        events.equal("number of clans in play", wanted, len(set(clans)))


def _check_given_up(events: Events, setting: Setting, players: int) -> None:
    """Check what seats gave up: nobody or everybody a clan, as different as can be, in one age."""
    clans, ages = setting.gave_up, setting.gave_up_age
    leaders = [clan for clan in setting.clans if setting.power_of[clan] is not Power.WILD]
    events.equal("clans given up: one for each seat", [players, players], [len(clans), len(ages)])
    if clans == [None] * players:
        known: list[int | None] = [None]
    else:
        known = [None, *range(1, setting.ages + 1)]
        events.require(set(clans) <= {*leaders}, "clans given up can lead", leaders, clans)
        events.equal("clans given up are different", min(players, len(leaders)), len(set(clans)))
    one_age = len(set(ages)) == 1 and ages[0] in known
    events.require(one_age, "clans are given up in one age", known, ages)


def _check_prestige_tokens(events: Events, setting: Setting) -> None:
    """Check setup step 1: the right tokens, ascending, and in solo the highest in red and blue."""
    rules, colors, tokens = setting.rules, setting.colors, setting.prestige_tokens
    added = [] if setting.seats <= 3 else rules["prestige_tokens.four_plus"]
    wanted = rules["prestige_tokens.base"] + added
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
    if setting.solo and not laid:
        held = sorted(tokens["red"] + tokens["blue"])
        highest = sorted(wanted)[-len(held) :]
        events.equal("R34: red and blue hold the highest tokens", highest, held)


def _add_keys(events: Events, setting: Setting) -> None:
    """Add the keys of events that only some games have."""
    if setting.solo:
        events.keys |= SOLO_KEYS
    if setting.custom_powers:
        events.keys["party"] += ("actions",)
        events.keys["power"] = ("player", "clan", "moment", "actions")
        if any(clan is None for clan, _ in setting.custom_powers):
            events.keys["power"] += ("power",)
    scoring = (Power.SEA_TRACK, Power.LARGEST_TOKEN, Power.SETTLEMENT_BOARD)
    if any(len(setting.with_power(power)) > 1 for power in scoring):
        events.keys["age_end"] += ("by_clan",)
