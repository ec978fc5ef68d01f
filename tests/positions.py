"""Positions that games of random players came to, and what the rules pay in them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from watching import covering_clans, record, watch

from ethnos_sim.simulator import EDITIONS, SOLO_CLANS, VIEW_DTYPE, load_rules

Position = Any


def positions(
    players: int, mode: str = "standard", *, editions: Sequence[str] = EDITIONS, of_each: int = 38
) -> list[Position]:
    """About as many turns of each clan set that there has to be for every clan to play."""
    found = []
    for edition in editions:
        rules = load_rules(edition)
        sets = [SOLO_CLANS] if players == 1 else covering_clans(rules, 5 if players < 4 else 6)
        for clans in sets:
            seen = watch(rules, "random", players, tuple(clans), 2, mode)
            turns = [one.view for one in seen if one.question == "turn"]
            found += [record(view, VIEW_DTYPE) for view in turns[:: max(1, len(turns) // of_each)]]
    assert len(found) >= of_each
    return found


def exact_award(view: Position, region: int, own: int, age: int) -> Fraction:
    """A region's award at an age's end by the rules, tie-break tokens left out."""
    if own == 0:
        return Fraction(0)
    players, player = int(view["players"]), int(view["player"])
    rivals = [int(view["markers"][region, each]) for each in range(players) if each != player]
    places = [int(token) for token in view["prestige_tokens"][region]][:age][::-1]
    if players == 2 and age == view["ages"]:
        places = [sum(places) if rivals == [0] else places[0]]
    if age == view["age"]:
        places[0] += int(view["coins_on_region"][region])
    above = sum(rival > own for rival in rivals)
    tied = 1 + sum(rival == own for rival in rivals)
    return Fraction(sum(places[above : above + tied]), tied)
