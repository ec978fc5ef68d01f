"""What a replay counted."""

from collections import Counter
from dataclasses import dataclass, field

SOURCES = ("regions", "coins", "sea", "largest", "settlement", "parties", "powers")


@dataclass
class Summary:
    """Counts of one replayed game; lists by player have Bruno as the second player in solo mode.

    `left_deck`: by age, ally cards that left the deck after the deal. `parties_led`: by age, clan
    -> parties led by it (Bruno's too). `events`: kind -> number. `optional`: name -> how often an
    optional thing was done or declined. `third_dragons`: by age, who drew it. `totals`: source ->
    prestige by player; "coins" is what the coins added to the region awards, "regions" the rest.
    """

    game: int
    players: int
    left_deck: list[int] = field(default_factory=list)
    parties_led: list[Counter[str]] = field(default_factory=list)
    third_dragons: list[int] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)
    optional: Counter[str] = field(default_factory=Counter)
    totals: dict[str, list[int]] = field(default_factory=dict)
    after_age: list[list[int]] = field(default_factory=list)
    prestige: list[int] = field(default_factory=list)
    markers: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
