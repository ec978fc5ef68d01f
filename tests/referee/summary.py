"""The counts of a replay."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Summary:
    """The counts of a replayed game; in solo Bruno is the second player.

    `left_deck`: by age, the ally cards that left the deck after the deal. `parties_led`: by age,
    the number of parties that each clan led (Bruno's included). `events`: the number of each kind.
    `optional`: how often each optional thing was done or declined. `last_dragons`: by age, who
    drew the last dragon. `totals`: prestige by source and player; "coins" is what coins added to
    the awards of regions, "regions" the rest.
    """

    left_deck: list[int] = field(default_factory=list)
    parties_led: list[Counter[str]] = field(default_factory=list)
    last_dragons: list[int] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)
    optional: Counter[str] = field(default_factory=Counter)
    totals: dict[str, list[int]] = field(default_factory=dict)
    after_age: list[list[int]] = field(default_factory=list)
    prestige: list[int] = field(default_factory=list)
    markers: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
