"""The deal draws which clan each seat gives up, evenly and apart from everything else."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from inside.simulator.game import KINDS
from seated import table_of

from ethnos_sim.simulator import GameTable, InvalidGame, PlayedTable, load_rules, play_table
from ethnos_sim.strategies import LineUp

SECOND, FIRST = load_rules("second"), load_rules("first")
ORDERED = {rules.edition: sorted(rules.clans, key=rules.power_of) for rules in (SECOND, FIRST)}
SETS = {5: [0, 2, 4, 9, 11], 6: [0, 2, 4, 7, 9, 11]}
"""Clans by the order of their powers; sets of six have the wild clan."""


def table(
    players: int, kind: str = "gives_up", edition: str = "second", places: Sequence[int] = ()
) -> GameTable:
    rules = load_rules(edition)
    chosen = places or SETS[rules.clans_in_play(players)]
    clans = [ORDERED[edition][place] for place in chosen]
    return replace(table_of(rules, "random", players, "standard", clans), kind=kind)


def given_up(played: PlayedTable) -> np.ndarray:
    """The names of the clans given up, shape (games, seats)."""
    return np.asarray(played.table.rules.clans)[played.seats["gave_up"]]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_each_seat_gives_up_each_clan_equally_often_and_seats_differ(players) -> None:
    """The counts are within five standard errors; six seats share five clans."""
    played = play_table(table(players), seed=1, deals=3000)
    clans = given_up(played)
    leaders = set(played.table.clans) - {"dog"}
    assert set(map(len, map(set, clans.tolist()))) == {min(players, len(leaders))}
    for seat in range(players):
        counts = Counter(clans[:, seat].tolist())
        assert set(counts) == leaders
        chance = 1 / len(leaders)
        reach = 5 * np.sqrt(3000 * chance * (1 - chance))
        assert all(abs(count - 3000 * chance) < reach for count in counts.values())
    twice = Counter(clan for row in clans.tolist() for clan, n in Counter(row).items() if n > 1)
    assert len(twice) == (5 if players == 6 else 0)
    assert not twice or max(twice.values()) < 1.25 * min(twice.values())


def test_a_seat_gives_up_the_same_clan_in_every_rotation_and_keeps_the_deal() -> None:
    rules, clans = SECOND, table(4).clans
    mixed = table_of(rules, ["random", "greedy", "random", "random"], 4, "standard", clans)
    plain, told = (
        play_table(replace(mixed, kind=kind), seed=3, deals=20) for kind in ("ordinary", "gives_up")
    )
    by_deal = told.seats["gave_up"].reshape(20, 4, 4)
    assert (by_deal == by_deal[:, :1]).all()
    assert (told.games["first_player"] == plain.games["first_player"]).all()
    assert (plain.seats["gave_up"] == -1).all()


def test_by_age_all_seats_give_up_their_clans_in_the_same_drawn_age() -> None:
    ages = play_table(table(4, "gives_up_by_age"), seed=2, deals=600).seats["gave_up_age"]
    assert (ages == ages[:, :1]).all()
    counts = Counter(ages[:, 0].tolist())
    assert set(counts) == {1, 2, 3}
    assert min(counts.values()) > 140


def test_editions_share_what_is_given_up_and_clan_sets_do_not() -> None:
    """The last powers of the editions are counterparts; the other powers are the same."""
    first, second = (
        given_up(play_table(table(4, edition=edition), seed=1, deals=50))
        for edition in ("first", "second")
    )
    places = [
        np.vectorize(ORDERED[edition].index)(clans)
        for edition, clans in (("first", first), ("second", second))
    ]
    assert (places[0] == places[1]).all()
    other = given_up(play_table(table(4, places=[0, 2, 5, 7, 9, 11]), seed=1, deals=50))
    shared = np.mean(second == other)
    assert shared < 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_only_games_whose_seats_have_given_up_nothing_before_are_played(kind) -> None:
    seats = LineUp.parse("random:never_leads=bear", 4, SECOND).seats()
    arguments = (SECOND, 4, "standard", ["bear", "deer", "fox", "koi", "owl", "raven"], seats, 1)
    if kind == "ordinary":
        GameTable.prepare(*arguments, kind)
        return
    with pytest.raises(InvalidGame, match="given up a clan of its own"):
        GameTable.prepare(*arguments, kind)
