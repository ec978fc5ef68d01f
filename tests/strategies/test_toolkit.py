"""The toolkit agrees with plain Python that tries everything.

The positions come from games of random players, in both editions.
"""

import functools
import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from inside.simulator.kernel import open_regions
from inside.simulator.stepping import LEAD_ALONE, LEAD_CLAN
from watching import cards_in, covering_clans, watch

from ethnos_sim.simulator import (
    DECISIONS,
    EDITIONS,
    NONE,
    OWN_DTYPE,
    REGIONS,
    SOLO_CLANS,
    Power,
    Rules,
    load_rules,
)
from ethnos_sim.strategies import toolkit

Position = Any
Positions = list[Position]

OF_EACH = 38


@functools.cache
def positions(players: int) -> Positions:
    """Some turns of clan sets that cover every clan, in both editions; in solo, all turns."""
    if players == 1:
        return turns(load_rules("second"), 1, SOLO_CLANS, "solo-regular")
    records: Positions = []
    for edition in EDITIONS:
        rules = load_rules(edition)
        for clans in covering_clans(rules, 5 if players < 4 else 6):
            views = turns(rules, players, clans, "standard")
            records += views[:: max(1, len(views) // OF_EACH)]
    assert len(records) >= 2 * OF_EACH
    return records


def turns(rules: Rules, players: int, clans: tuple[str, ...], mode: str) -> Positions:
    """The views of a random player at its turns."""
    views = watch(rules, "random", players, clans, 2, mode)
    return [view for view in views if DECISIONS[view["decision"]] == "turn"]


def exact_award(view: Position, region: int, markers: int, age: int) -> Fraction:
    """A region's award at the end of an age by the rules, without tie-break tokens."""
    if markers == 0:
        return Fraction(0)
    players, player = int(view["players"]), int(view["player"])
    rivals = [int(view["markers"][region, rival]) for rival in range(players) if rival != player]
    places = [int(token) for token in view["prestige_tokens"][region]][:age][::-1]
    if players == 2 and age == view["ages"]:
        places = [sum(places) if rivals == [0] else places[0]]
    if age == view["age"]:
        places[0] += int(view["coins_on_region"][region])
    above = sum(rival > markers for rival in rivals)
    tied = 1 + sum(rival == markers for rival in rivals)
    return Fraction(sum(places[above : above + tied]), tied)


@pytest.fixture(scope="module", params=[2, 4, 6])
def views(request: pytest.FixtureRequest) -> Positions:
    return positions(request.param)


def hand(view: Position) -> Counter[int]:
    return cards_in(view["hand_once"], view["hand_twice"])


def pool(view: Position) -> Counter[int]:
    return cards_in(view["pool_once"], view["pool_twice"])


def power(view: Position, card: int) -> int:
    return int(view["power"][card // REGIONS])


def under(mask: int, among: Counter[int]) -> int:
    """The number of cards in `among` whose bits are set in `mask`."""
    return sum(copies for card, copies in among.items() if int(mask) >> card & 1)


def is_wild(view: Position, card: int) -> bool:
    return power(view, card) == Power.WILD


def groups(view: Position, among: Counter[int], leader: int) -> list[Counter[int]]:
    """The cards of the leader's clan, and the cards of its color, both without wild cards."""
    tame = {card: copies for card, copies in among.items() if not is_wild(view, card)}
    return [
        Counter({c: n for c, n in tame.items() if power(view, c) == power(view, leader)}),
        Counter({c: n for c, n in tame.items() if c % REGIONS == leader % REGIONS}),
    ]


def wild_count(view: Position, among: Counter[int]) -> int:
    return sum(copies for card, copies in among.items() if is_wild(view, card))


def needed(view: Position, region: int) -> int:
    """The number of cards that a marker needs.

    It is one more than the player's markers in the region; of two players, both players' count.
    """
    markers = view["markers"][region]
    return 1 + int(markers[:2].sum() if view["players"] == 2 else markers[view["player"]])


def value_of_power(view: Position, leader: int, size: int) -> int:
    """The prestige of a leader's power by itself, as `party_prestige` counts it."""
    rules, player = view["rules"], view["player"]
    its_power, region, slot = power(view, leader), leader % REGIONS, leader // REGIONS
    if its_power == Power.LARGEST_TOKEN and size > view["largest_size"][slot]:
        held = view["largest_holder"][slot] == player
        age = 0 if held else rules["largest_age"][slot][view["age"] - 1]
        return int(rules["largest_on_take"][slot] + age)
    if (
        its_power == Power.SETTLEMENT_BOARD
        and not int(view["settlements"][slot, player]) >> region & 1
    ):
        placed = int(view["settlements"][slot, player]).bit_count()
        return int(rules["settlement"][slot, placed + 1] - rules["settlement"][slot, placed])
    if its_power == Power.SEA_TRACK:
        sea = view["sea"][slot, : view["players"]]
        best = max(int(sea[rival]) for rival in range(len(sea)) if rival != player)
        if sea[player] <= best < sea[player] + size:
            return int(rules["sea_prestige"][slot, view["age"] - 1])
    rivals = [int(view["markers"][region, p]) for p in range(view["players"]) if p != player]
    first = int(view["markers"][region, player]) + 1 > max(rivals)
    used = int(view["coins_used"][slot])
    if its_power == Power.COINS and first and used < rules["coins_count"][slot]:
        return int(rules["coins"][slot, used])
    return 0


def value_of_party(view: Position, leader: int, members: int) -> int:
    """A party's prestige if the age ended right after it, with all wild cards in it."""
    size = members + wild_count(view, hand(view))
    scored = members + (power(view, leader) == Power.SCORES_LARGER)
    value = int(view["rules"]["party_points"][min(scored, 6)])
    strength = size + (power(view, leader) == Power.ONE_CARD_FEWER)
    region = leader % REGIONS
    places = power(view, leader) != Power.NO_MARKER and view["supply"][view["player"]] > 0
    if places and strength >= needed(view, region):
        value += toolkit.marker_gain(view, region)
    return value + value_of_power(view, leader, size)


def test_the_best_party_is_the_best_of_all_leaders_and_groups(views: Positions) -> None:
    for view in views:
        held = hand(view)
        values = {
            (leader, members): value_of_party(view, leader, members)
            for leader in held
            if not is_wild(view, leader)
            for members in [group.total() for group in groups(view, held, leader)]
        }
        party, value = toolkit.best_party(view)
        if not values:
            assert party.leader == NONE
            continue
        played = cards_in(party.once, party.twice)
        members = party.size - wild_count(view, played)
        assert value == max(values.values()) == values[party.leader, members]
        assert played.total() == party.size
        assert wild_count(view, played) == wild_count(view, held)
        tame = Counter({card: n for card, n in played.items() if not is_wild(view, card)})
        assert tame in groups(view, held, party.leader)


def test_an_action_of_learning_agents_plays_every_card_that_fits(views: Positions) -> None:
    for view in views:
        held = hand(view)
        for action in toolkit.legal_actions(view):
            party = toolkit.party_of_action(view, action)
            if not LEAD_CLAN <= action < LEAD_ALONE:
                assert party.leader == NONE
                continue
            played = cards_in(party.once, party.twice)
            tame = Counter({card: n for card, n in played.items() if not is_wild(view, card)})
            assert tame in groups(view, held, party.leader)
            assert wild_count(view, played) in (0, wild_count(view, held))


def test_the_largest_party_holds_the_most_cards_that_one_leader_can_gather(views: Positions):
    for view in views:
        held = hand(view)
        leaders = [card for card in held if not is_wild(view, card)]
        party = toolkit.largest_party(view)
        if not leaders:
            assert party.leader == NONE
            continue
        sizes = [group.total() for leader in leaders for group in groups(view, held, leader)]
        assert party.size == max(sizes) + wild_count(view, held)
        assert cards_in(party.once, party.twice).total() == party.size
        assert party.leader in leaders


def test_the_fitting_pool_card_joins_the_largest_possible_group(views: Positions) -> None:
    for view in views:
        held, lying = hand(view), pool(view)
        wild = wild_count(view, held)
        joined = {
            card: max(group.total() for group in groups(view, held, card)) + wild
            for card in lying
            if not is_wild(view, card)
        }
        card, companions = toolkit.fitting_pool_card(view)
        if wild_count(view, lying):
            sizes = [group.total() for leader in held for group in groups(view, held, leader)]
            assert is_wild(view, card)
            assert companions == max([size for size in sizes if size] or [0]) + wild
        elif joined:
            assert companions == joined[card] == max(joined.values())
        else:
            assert card == NONE
        assert card == NONE or lying[card] > 0


def test_a_region_is_open_exactly_where_the_kernel_places_a_marker(views: Positions) -> None:
    for view in views:
        for region in range(REGIONS):
            assert toolkit.markers_needed(view, region) == needed(view, region)
            for slot in range(int(view["slots"])):
                leading = int(view["power"][slot])
                for size in (1, 3, 6):
                    allowed = open_regions(view, view["player"], slot, region, size)
                    if leading == Power.ANY_REGION:
                        assert toolkit.open_to(view, leading, size) == allowed
                    elif leading != Power.WILD:
                        assert toolkit.region_open(view, region, leading, size) == bool(allowed)


def test_the_award_at_an_age_follows_the_rules(views: Positions) -> None:
    for view in views:
        for region in range(REGIONS):
            for markers in range(5):
                for age in range(view["age"], view["ages"] + 1):
                    exact = exact_award(view, region, markers, age)
                    assert toolkit.award_at(view, region, markers, age) == pytest.approx(
                        float(exact)
                    )


def test_the_worth_of_a_marker_is_its_gain_in_all_coming_awards(views: Positions) -> None:
    for view in views:
        for region in range(REGIONS):
            markers = int(view["markers"][region, view["player"]])
            gains = [
                exact_award(view, region, markers + 1, age)
                - exact_award(view, region, markers, age)
                for age in range(view["age"], view["ages"] + 1)
            ]
            worth = sum(float(gain) * 0.5**i for i, gain in enumerate(gains))
            assert toolkit.marker_worth(view, region, 0.5) == pytest.approx(worth)


@pytest.mark.parametrize("players", [2, 3])
def test_the_gain_of_a_marker_is_its_gain_in_this_ages_award(players: int) -> None:
    """`marker_gain` considers only the best rival; it is exact if the player passes the others."""
    for view in positions(players):
        for region in range(REGIONS):
            rivals = np.delete(view["markers"][region][:players], view["player"])
            markers = int(view["markers"][region, view["player"]])
            if any(0 < lesser >= markers for lesser in sorted(rivals)[:-1]):
                continue
            after, before = (
                exact_award(view, region, markers + n, int(view["age"])) for n in (1, 0)
            )
            gain = after.__floor__() - before.__floor__()
            assert toolkit.marker_gain(view, region) == gain
    assert toolkit.most_contested_region(view, np.uint64(0)) == NONE


def test_the_most_contested_allowed_region_gains_most_and_has_the_highest_top_token(views):
    """If both are equal, it is the first region."""
    rng = np.random.default_rng(2)
    for view in views:
        allowed = int(rng.integers(1, 1 << REGIONS))
        top = view["prestige_tokens"][:, view["ages"] - 1]
        worth = {r: (toolkit.marker_gain(view, r), top[r]) for r in range(REGIONS)}
        best = max((r for r in worth if allowed >> r & 1), key=worth.__getitem__)
        assert toolkit.most_contested_region(view, np.uint64(allowed)) == best


@pytest.mark.parametrize("players", [1, 2, 4, 6])
def test_unseen_cards_are_all_cards_without_the_visible_and_known_ones(players: int) -> None:
    for view in positions(players):
        rivals = [player for player in range(view["hands"]) if player != view["player"]]
        seen = hand(view)
        for name in ("pool", "played", "columns"):
            seen += cards_in(view[f"{name}_once"], view[f"{name}_twice"])
        for rival in rivals:
            seen += cards_in(view["known_once"][rival], view["known_twice"][rival])
        for mask in (int(view["all_cards"]), int(view["color_cards"][2])):
            total = mask.bit_count() * int(view["rules"]["copies"])
            assert toolkit.unseen_cards(view, np.uint64(mask)) == total - under(mask, seen)


def test_random_numbers_are_even_and_differ_from_call_to_call() -> None:
    private = np.zeros(1, OWN_DTYPE)[0]
    rolls = [toolkit.random_below(private, 6) for _ in range(6000)]
    counts = np.bincount(rolls, minlength=6)
    # Chi-square with 5 degrees of freedom exceeds 20.5 once in a thousand.
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5
    hits = sum(toolkit.random_chance(private, 0.3) for _ in range(6000))
    assert abs(hits - 1800) < 4 * (6000 * 0.3 * 0.7) ** 0.5
    assert not any(toolkit.random_chance(private, 0.0) for _ in range(100))
    assert all(toolkit.random_chance(private, 1.0) for _ in range(100))


@pytest.mark.parametrize("seen", [0, 1, 2])
@pytest.mark.parametrize("deck", [4, 7, 36, 38])
def test_the_chance_of_the_ages_end_counts_the_places_of_the_dragons(views, seen, deck) -> None:
    """The unseen dragons are in what is left of the bottom half."""
    for view in (views[0].copy(), views[-1].copy()):
        view["dragons_seen"], view["deck_cards"] = seen, deck
        copies, dealt = int(view["rules"]["copies"]), 3 * int(view["players"])
        full = int(view["all_cards"]).bit_count() * copies - dealt
        bottom = min(full - full // 2 + 3, deck)
        top = deck - bottom
        places = list(itertools.combinations(range(bottom), 3 - seen))
        for cards in (0, 1, 2, 3, 5):
            ended = sum(max(place) < cards - top for place in places)
            assert toolkit.end_chance(view, cards) == pytest.approx(ended / len(places))
        last = sum(max(place) + 1 for place in places) / len(places)
        assert toolkit.cards_left(view) == pytest.approx(top + last)


def test_gift_counts_the_best_group_that_the_next_player_could_make(views: Positions):
    given = 0
    for view in views:
        player = int(view["player"] + 1) % int(view["players"])
        known = cards_in(view["known_once"][player], view["known_twice"][player])
        wild = wild_count(view, known)
        best = 0
        for card in pool(view):
            clan = under(view["clan_cards"][card // REGIONS] & ~view["wild_cards"], known) + wild
            color = under(view["color_cards"][card % REGIONS] & ~view["wild_cards"], known) + wild
            assert toolkit.known_companions(view, player, card) == max(clan, color)
            best = max(best, clan, color)
        assert toolkit.gift(view, view["pool_once"]) == (best if known else 0)
        given += best > 0
    assert given > 30
