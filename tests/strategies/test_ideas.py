"""The strategies play as their prose says: who plays large, who plays often, who leads with whom.

All seeded; the numbers are far from the limits that they are held to.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from watching import Watched, covering_clans, record, watch

from ethnos_sim.simulator import (
    FROM_POOL,
    MOVE_DTYPE,
    OWN_DTYPE,
    PARTY,
    VIEW_DTYPE,
    Power,
    load_rules,
    play_seats,
)
from ethnos_sim.strategies import LineUp, get_strategy, list_strategies

IDEAS = ("collector", "greedy", "majority", "specialist", "spreader")


@functools.cache
def seats_of(first: str, others: str, edition: str = "second", deals: int = 40) -> np.ndarray:
    """The first strategy's result rows of games against three others, over every clan."""
    rules = load_rules(edition)
    seats = LineUp.parse([first, *[others] * 3], 4, rules).seats()
    rows = []
    for clans in covering_clans(rules, 6):
        batch = play_seats(rules, players=4, clans=clans, seats=seats, seed=11, deals=deals)
        rows.append(batch.seats[batch.seats["entry"] == 0])
    return np.concatenate(rows)


def win_share(first: str, others: str, edition: str = "second", deals: int = 40) -> float:
    return float(seats_of(first, others, edition, deals)["won"].mean() / 60)


def party_size(first: str) -> float:
    rows = seats_of(first, "greedy")
    return float(rows["cards"].sum() / rows["parties"].sum())


def parties(first: str) -> float:
    return float(seats_of(first, "greedy")["parties"].mean())


@pytest.mark.parametrize("name", [s.name for s in list_strategies() if s.name != "random"])
@pytest.mark.parametrize("edition", ["first", "second"])
def test_every_idea_beats_random_play_by_far(name: str, edition: str) -> None:
    deals = 2 if get_strategy(name).looks_ahead else 25  # imagined games take their time
    assert win_share(name, "random", edition, deals) > 0.8


def test_the_collector_plays_the_largest_parties_and_the_fewest() -> None:
    others = [name for name in IDEAS if name != "collector"]
    assert party_size("collector") > max(map(party_size, others)) + 0.4
    assert parties("collector") < min(map(parties, others)) - 1


def test_the_spreader_plays_the_most_parties_and_small_ones() -> None:
    others = ["collector", "greedy", "majority"]
    assert parties("spreader") > max(map(parties, others)) + 1
    assert party_size("spreader") < min(map(party_size, others))
    markers = {name: seats_of(name, "greedy")["markers"].mean() for name in IDEAS}
    assert max(markers, key=lambda name: markers[name]) == "spreader"


def test_the_collector_lives_on_its_parties_and_majority_on_regions() -> None:
    points = {name: seats_of(name, "greedy")["party_points"].mean() for name in IDEAS}
    assert points["collector"] > max(points[name] for name in IDEAS if name != "collector") + 5
    regions = {name: seats_of(name, "greedy")["regions"].mean() for name in IDEAS}
    assert regions["majority"] > regions["greedy"] + 5
    assert min(regions, key=lambda name: regions[name]) == "collector"


def test_majority_beats_greedy() -> None:
    assert win_share("majority", "greedy", deals=150) > 0.35


def test_a_spread_of_markers_beats_greedy_too() -> None:
    assert win_share("spreader", "greedy", deals=150) > 0.32


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_specialist_leads_with_its_clan_most_and_far_more_than_greedy_players_do(
    edition: str,
) -> None:
    rules = load_rules(edition)
    for clans in covering_clans(rules, 6):
        for clan in clans:
            line_up = LineUp.parse([f"specialist:clan={clan}", *["greedy"] * 3], 4, rules)
            batch = play_seats(
                rules, players=4, clans=clans, seats=line_up.seats(), seed=2, deals=20
            )
            slot = batch.table.slots.index(clan)
            own = batch.seats["entry"] == 0
            led = batch.seats["led"][own].mean(axis=0)
            by_greedy = batch.seats["led"][~own][:, slot].mean()
            if clan in ("dog", "skeleton"):
                assert led[slot] == 0
            else:
                assert led[slot] > 1.5 * by_greedy
                assert led[slot] == led.max()


def test_the_specialist_plays_on_where_its_clan_is_absent() -> None:
    rules = load_rules("second")
    line_up = LineUp.parse("specialist:clan=bear,random,random,random", 4, rules)
    clans = [clan for clan in rules.clans if clan != "bear"][:6]
    batch = play_seats(rules, players=4, clans=clans, seats=line_up.seats(), seed=2, deals=25)
    won = batch.seats["won"][batch.seats["entry"] == 0]
    assert won.mean() / 60 > 0.8


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_evaluator_beats_every_plain_idea_clearly(edition: str) -> None:
    for others in ("greedy", "spreader", "majority"):
        assert win_share("evaluator", others, edition, 60) > 0.45
    rules = load_rules(edition)
    line_up = LineUp.parse("evaluator,spreader,majority,warden", 4, rules)
    won = []
    for clans in covering_clans(rules, 6):
        batch = play_seats(rules, players=4, clans=clans, seats=line_up.seats(), seed=6, deals=100)
        won.append(batch.seats["won"][batch.seats["entry"] == 0])
    assert np.concatenate(won).mean() / 60 > 0.35


def side_boards(first: str, clans: tuple[str, ...]) -> tuple[float, float, float]:
    """Parties led for sea, settlements and coins, and prestige from the first two, a game."""
    rules = load_rules("second")
    seats = LineUp.parse([first, *["greedy"] * 3], 4, rules).seats()
    batch = play_seats(rules, players=4, clans=clans, seats=seats, seed=3, deals=100)
    rows = batch.seats[batch.seats["entry"] == 0]
    powers = [Power.SEA_TRACK, Power.SETTLEMENT_BOARD, Power.COINS]
    slots = [batch.table.slots.index(rules.clan_of(power)) for power in powers]
    led = rows["led"][:, slots].sum() / rows["parties"].sum()
    return float(led), float(rows["sea"].mean()), float(rows["settlement"].mean())


def test_the_navigator_leads_for_the_sea_the_board_and_coins() -> None:
    clans = ("bear", "fox", "koi", "monkey", "raccoon", "tiger")
    led, sea, settlement = side_boards("navigator", clans)
    others = [side_boards(name, clans) for name in ("warden", "majority")]
    assert led > max(other[0] for other in others) + 0.05
    assert sea > max(other[1] for other in others)
    assert settlement > min(other[2] for other in others)


def turns(name: str, clans: tuple[str, ...]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Views, own records and moves of a strategy's turns in some games against greedy."""
    seen = watch(load_rules("second"), f"{name},greedy", 4, clans, 3, "standard")
    return [
        (
            record(one.view, VIEW_DTYPE),
            record(one.own, OWN_DTYPE),
            np.frombuffer(one.move, MOVE_DTYPE)[0],
        )
        for one in seen
        if one.question == "turn"
    ]


def test_the_hoarder_takes_every_wild_card_it_can_while_the_age_lasts() -> None:
    taken = 0
    for view, _, move in turns("hoarder", ("bear", "deer", "dog", "fox", "koi", "monkey")):
        wild = int(view["pool_once"] & view["wild_cards"])
        full = view["hand_cards"][view["player"]] == 10
        if wild and not full and view["dragons_seen"] < 2:
            assert move["kind"] == FROM_POOL
            assert wild >> int(move["choice"]) & 1
            taken += 1
    assert taken > 10


def test_the_clock_plays_more_parties_when_the_age_is_about_to_end() -> None:
    clans = ("bear", "deer", "fox", "koi", "monkey", "owl")
    watched = Watched(LineUp.parse(["clock"], 1, load_rules("second")).seats()[0])
    early = late = 0
    for view, own, _ in turns("clock", clans):
        view["dragons_seen"], view["deck_cards"] = 0, 60
        early += watched.ask(view, own)["kind"] == PARTY
        view["dragons_seen"], view["deck_cards"] = 2, 4
        late += watched.ask(view, own)["kind"] == PARTY
    assert late > 1.5 * early > 50


def test_the_denier_looks_at_what_the_next_player_holds() -> None:
    clans = ("bear", "deer", "fox", "koi", "monkey", "owl")
    watched = Watched(LineUp.parse(["denier"], 1, load_rules("second")).seats()[0])
    kept = asked = 0
    for view, own, move in turns("denier", clans):
        rest = view["hand_once"] & ~move["once"]
        if move["kind"] != PARTY or not rest:
            continue
        # The next player now holds a color of which the party leaves cards.
        left = [color for color in view["color_cards"] if color & rest]
        view["known_once"][(view["player"] + 1) % 4] = left[0]
        again = watched.ask(view, own)
        kept += again["kind"] != PARTY or again["once"] != move["once"]
        asked += 1
    assert kept > 0.1 * asked > 5
