"""The toolkit's values of positions against plain Python: clock, awards, duels, denial, Bruno."""

from __future__ import annotations

import itertools

import pytest
from positions import Position, positions

from ethnos_sim.simulator import NONE, REGIONS, Power
from ethnos_sim.simulator.kernel.party import open_regions
from ethnos_sim.strategies import toolkit
from ethnos_sim.strategies.toolkit import (
    clock,
    denial,
)


def second(players: int, mode: str = "standard") -> list[Position]:
    """Some turns with every clan of the 2nd edition, some 80 with each clan set."""
    return positions(players, mode, editions=["second"], of_each=80)


@pytest.fixture(scope="module", params=[2, 4, 6])
def views(request: pytest.FixtureRequest) -> list[Position]:
    return second(request.param)


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


def test_regions_are_open_to_a_party_as_the_kernel_has_it(views: list[Position]) -> None:
    compared = 0
    for view in views:
        slot = int(view["slot_of_power"][Power.ANY_REGION])
        for size in (1, 2, 4) if slot != NONE else ():
            compared += 1
            allowed = open_regions(view, view["player"], slot, 0, size)
            assert toolkit.open_to(view, int(Power.ANY_REGION), size) == allowed
    assert compared
