"""The toolkit's values of positions against plain Python: clock, awards, duels, denial, Bruno."""

from __future__ import annotations

import itertools
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest
from positions import Position, exact_award, positions

from ethnos_sim.simulator import NONE, REGIONS, Power
from ethnos_sim.simulator.kernel.party import open_regions
from ethnos_sim.strategies import toolkit
from ethnos_sim.strategies.library.evaluator import WEIGHTS
from ethnos_sim.strategies.toolkit import (
    clock,
    denial,
    duel,
    evaluation,
    prospects,
    recruiting,
    warding,
)

Weights = namedtuple("Weights", [weight.name for weight in WEIGHTS])
USUAL = Weights(*(float(weight.default) for weight in WEIGHTS))


def second(players: int, mode: str = "standard") -> list[Position]:
    """Some turns with every clan of the 2nd edition, some 80 with each clan set."""
    return positions(players, mode, editions=["second"], of_each=80)


@pytest.fixture(scope="module", params=[2, 4, 6])
def views(request: pytest.FixtureRequest) -> list[Position]:
    return second(request.param)


@pytest.fixture(scope="module")
def solo() -> list[Position]:
    return second(1, "solo-regular")


def numbers(plane: int) -> list[int]:
    """The card numbers of a plane."""
    return [card for card in range(64) if int(plane) >> card & 1]


def held(view: Position, player: int, mask: int) -> int:
    """How many cards under a mask a player is known to hold."""
    once, twice = int(view["known_once"][player]), int(view["known_twice"][player])
    return (once & mask).bit_count() + (twice & mask).bit_count()


def test_the_bottom_part_is_what_was_dealt_under_the_dragons(views: list[Position]) -> None:
    for view in views:
        cards = int(view["all_cards"]).bit_count() * 2 - 3 * int(view["players"])
        bottom = cards - cards // 2 + 3
        assert clock.bottom_part(view) == min(bottom, int(view["deck_cards"]))


@pytest.mark.parametrize("seen", [0, 1, 2])
@pytest.mark.parametrize("deck", [4, 7, 36, 38])
def test_the_chance_of_the_ages_end_counts_the_places_of_the_dragons(seen: int, deck: int) -> None:
    view = second(4)[0]
    view["dragons_seen"], view["deck_cards"] = seen, deck
    bottom = int(clock.bottom_part(view))
    top = deck - bottom
    places = list(itertools.combinations(range(bottom), 3 - seen))
    for cards in (0, 1, 2, 3, 5):
        ended = sum(max(place) < cards - top for place in places)
        assert clock.end_chance(view, cards) == pytest.approx(ended / len(places))
    last = sum(max(place) + 1 for place in places) / len(places)
    assert clock.cards_left(view) == pytest.approx(top + last)


def test_a_gift_is_the_best_card_for_what_the_next_player_is_known_to_hold(
    views: list[Position],
) -> None:
    given = 0
    for view in views:
        player = int(view["player"] + 1) % int(view["players"])
        wild = int(view["wild_cards"])
        best = 0
        for card in numbers(view["pool_once"]):
            clan = held(view, player, int(view["clan_cards"][card // REGIONS]) | wild)
            color = held(view, player, int(view["color_cards"][card % REGIONS]) | wild)
            assert denial.known_companions(view, player, card) == max(clan, color)
            best = max(best, clan, color)
        if not view["known_once"][player]:
            best = 0
        assert denial.gift(view, view["pool_once"]) == best
        given += best > 0
    assert given > 30


def award(view: Position, region: int, own: int) -> Fraction:
    """This age's award with so many own markers, no tie-break tokens."""
    return exact_award(view, region, own, int(view["age"]))


def test_a_certain_lead_is_worth_what_the_rules_pay(views: list[Position]) -> None:
    """With full firmness and no later ages, where at most two share and places score."""
    checked = 0
    for view in views:
        view["coins_on_region"] = 0
        player = int(view["player"])
        for region in range(REGIONS):
            own = int(view["markers"][region][player])
            rivals = np.delete(view["markers"][region][: view["players"]], player)
            if max((rivals == own).sum(), (rivals == own + 1).sum()) > 1:
                continue
            gain = award(view, region, own + 1) - award(view, region, own)
            found = prospects.marker_prospect(view, region, 0.5, 0.5, 0.0)
            assert found == pytest.approx(float(gain))
            checked += 1
    assert checked > 150


def test_a_larger_lead_adds_nothing_where_leads_are_certain_and_something_where_not() -> None:
    for view in second(4):
        view["markers"] = 0
        view["markers"][:, (view["player"] + 1) % 4] = 1
        view["markers"][:, view["player"]] = 2
        for region in range(REGIONS):
            assert prospects.marker_prospect(view, region, 0.5, 0.5, 0.5) == 0.0
            awarded = int(view["prestige_tokens"][region][view["age"] - 1]) > 0
            assert (prospects.marker_prospect(view, region, 0.1, 0.1, 0.5) > 0.0) == awarded


def test_leads_grow_firmer_as_the_deck_runs_out() -> None:
    view = second(4)[0]
    view["deck_cards"] = 0
    assert prospects.firmness(view, 0.2) == pytest.approx(prospects.CERTAIN)
    view["deck_cards"] = 75
    assert prospects.firmness(view, 0.2) == pytest.approx(0.2)


def test_a_swing_is_the_own_gain_and_the_rivals_loss() -> None:
    for view in second(2):
        view["coins_on_region"] = 0
        player = int(view["player"])
        for region in range(REGIONS):
            own = int(view["markers"][region][player])
            now = award(view, region, own + 1) - award(view, region, own)
            other = view.copy()
            other["player"] = 1 - player
            rival = int(view["markers"][region][1 - player])
            lost = award(other, region, rival)
            other["markers"][region][player] += 1
            lost -= award(other, region, rival)
            assert duel.swing(view, region, 0.0) == pytest.approx(float(now + lost))


def test_regions_are_open_to_a_party_as_the_kernel_has_it(views: list[Position]) -> None:
    compared = 0
    for view in views:
        slot = int(view["slot_of_power"][Power.ANY_REGION])
        for size in (1, 2, 4) if slot != NONE else ():
            compared += 1
            allowed = open_regions(view, view["player"], slot, 0, size)
            assert toolkit.open_to(view, int(Power.ANY_REGION), size) == allowed
    assert compared


def test_without_other_weights_the_best_play_is_the_one_of_most_points(
    views: list[Position],
) -> None:
    nothing = Weights(*(0.0 for _ in WEIGHTS))
    gains = np.uint64(0)
    for view in views:
        worths = evaluation.power_worths(view, gains, nothing)
        values = []
        for leader in numbers(view["leaders"]):
            power = int(view["power"][leader // REGIONS])
            once, twice = int(view["hand_once"]), int(view["hand_twice"])
            color = int(view["color_cards"][leader % REGIONS]) & ~int(view["wild_cards"])
            groups = (int(view["clan_cards"][leader // REGIONS]), color)
            members = max((once & g).bit_count() + (twice & g).bit_count() for g in groups)
            scored = min(members + (power == Power.SCORES_LARGER), 6)
            slot = leader // REGIONS
            taken = int(view["rules"]["largest_on_take"][slot])
            wild = int(view["wild_cards"])
            size = members + (once & wild).bit_count() + (twice & wild).bit_count()
            token = power == Power.LARGEST_TOKEN and size > view["largest_size"][slot]
            values.append(int(view["rules"]["party_points"][scored]) + taken * token)
        party, value = evaluation.best_play(view, gains, worths, nothing)
        if values:
            assert value == max(values)
            assert party.leader in numbers(view["leaders"])
        else:
            assert party.leader == NONE


def test_a_recruit_comes_from_the_pool_or_is_the_deck(views: list[Position]) -> None:
    from_pool = 0
    for view in views:
        gains = evaluation.gains_for_hand(view, USUAL)
        worths = evaluation.power_worths(view, gains, USUAL)
        pool = view["pool_once"]
        card, taken, drawn = recruiting.best_recruit(view, pool, 0.0, gains, worths, USUAL)
        assert card == NONE or int(pool) >> int(card) & 1
        from_pool += taken > drawn
        eager = USUAL._replace(blind=100.0)
        _, taken, drawn = recruiting.best_recruit(view, pool, 0.0, gains, worths, eager)
        assert drawn > taken
    assert from_pool > len(views) / 4


def bruno_columns(view: Position) -> list[int]:
    once, twice = int(view["columns_once"]), int(view["columns_twice"])
    masks = [int(mask) for mask in view["color_cards"]]
    return [(once & mask).bit_count() + (twice & mask).bit_count() for mask in masks]


def test_a_harmless_card_costs_least_of_those_on_offer(solo: list[Position]) -> None:
    for view in solo:
        cards = numbers(view["pool_once"])
        costs = {
            card: warding.column_cost(view, card % REGIONS, 3.6)
            + 0.5 * toolkit.matching_cards(view, toolkit.hand(view), card)
            for card in cards
        }
        card, cost = warding.harmless_card(view, view["pool_once"], 3.6, 0.5)
        if cards:
            assert cost == pytest.approx(min(costs.values()))
            assert costs[card] == pytest.approx(cost)
        else:
            assert card == NONE


def test_a_column_costs_more_the_nearer_it_is_to_firing(solo: list[Position]) -> None:
    view = solo[0]
    view["markers"] = 0
    costs = []
    for cards in range(4):  # of the yellow column, which fires at four
        color = int(view["color_cards"][2])
        yellow = sum(1 << card for card in numbers(color)[:cards])
        view["columns_once"], view["columns_twice"] = yellow, 0
        assert bruno_columns(view)[2] == cards
        costs.append(warding.column_cost(view, 2, 1.0))
    party = costs[-1]
    assert costs == pytest.approx([party / 4, party / 3, party / 2, party])
    assert party >= int(view["rules"]["party_points"][4])


def test_two_cards_are_fed_harmless_ones_first(solo: list[Position]) -> None:
    for view in solo:
        once, twice = view["pool_once"], view["pool_twice"]
        cards = sorted(
            warding.column_cost(view, card % REGIONS, 2.0)
            for plane in (once, twice)
            for card in numbers(plane)
        )
        for count in (1, 2):
            cost = warding.feeding_cost(view, once, twice, count, 2.0)
            assert cost == pytest.approx(sum(cards[:count]))


def test_a_leader_is_spent_where_the_party_makes_least_of_it(solo: list[Position]) -> None:
    view = solo[0]
    view["options"], view["limit"] = 0b111111, 2
    bear = int(view["slot_of_power"][Power.LARGEST_TOKEN])
    view["largest_size"][bear] = 3
    # Two cards take no token and four would: it is well spent now.
    assert warding.spent_leader(view, 1.0) == bear
