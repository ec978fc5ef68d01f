"""Averages that hold for all strategies, and evenness of everything that chance decides.

Every batch is seeded, so each test always sees the same numbers. The chi-square limits are the 99.9
% points for the tests' degrees of freedom.
"""

import numpy as np
import pytest
from inside.simulator.game import DEAL_DTYPE
from inside.simulator.kernel import shuffle_deal
from inside.simulator.tables import PreparedTables
from scipy.stats import chi2, norm
from seated import play_seats, table_of

from ethnos_sim.simulator import DRAGON, SOLO, SOLO_CLANS, GameTable, Power, load_rules

#: The mean number of ally cards that leave the deck in an age (last part of docs/rules.md).
DRAWN = {2: 47.25, 3: 44.5, 4: 52.5, 5: 49.75, 6: 47.25}
#: The same means with the clan that has twice the cards.
DRAWN_WITH_HALFLINGS = {2: 57.75, 3: 55.0, 4: 63.0, 5: 60.25, 6: 57.75}
#: The same mean in solo.
DRAWN_IN_SOLO = 56.0

STANDARD_ERRORS = 4

#: A table and its first deals, shuffled by the kernel (shape (deals,), DEAL_DTYPE).
Shuffled = tuple[GameTable, np.ndarray]


def mean_is(drawn: np.ndarray, expected: float) -> None:
    """The mean lies within 4 standard errors of the expected value."""
    error = drawn.std(ddof=1) / np.sqrt(drawn.size)
    assert abs(drawn.mean() - expected) < STANDARD_ERRORS * error
    assert error < 0.2


def clan_set(edition: str, players: int, halflings: bool) -> tuple[str, ...]:
    """Clans in play, with or without the clan that has twice the cards."""
    rules = load_rules(edition)
    many = rules.clan_of(Power.NO_MARKER)
    others = [clan for clan in rules.clans if clan != many]
    needed = rules.clans_in_play(players)
    return (many, *others[: needed - 1]) if halflings and many else tuple(others[:needed])


@pytest.mark.parametrize(
    ("edition", "halflings"), [("first", False), ("first", True), ("second", False)]
)
@pytest.mark.parametrize("players", DRAWN)
def test_cards_that_leave_the_deck_do_not_depend_on_strategies_nor_on_the_variant(
    players: int, edition: str, halflings: bool
) -> None:
    rules = load_rules(edition)
    ages = rules.ages(players)

    def drawn(mode: str, line_up: str, deals: int) -> np.ndarray:
        """Cards drawn by deal and age, equal in all rotations of a deal (shape (deals, ages))."""
        clans = clan_set(edition, players, halflings)
        batch = play_seats(rules, line_up, players, mode, clans, seed=20, deals=deals)
        counts = batch.games["drawn"][:, :ages].reshape(deals, -1, ages)
        assert (counts == counts[:, :1]).all()
        return counts[:, 0]

    usual = drawn("standard", "random", 1500)
    for other in (("standard", "greedy,random"), ("recruitment", "random")):
        assert (drawn(*other, 100) == usual[:100]).all()
    for by_deal in usual.T:
        mean_is(by_deal.astype(float), (DRAWN_WITH_HALFLINGS if halflings else DRAWN)[players])


@pytest.mark.parametrize("mode", SOLO)
@pytest.mark.parametrize("line_up", ["random", "greedy"])
def test_cards_that_leave_the_deck_in_solo(mode: str, line_up: str) -> None:
    batch = play_seats(load_rules("second"), line_up, 1, mode, seed=21, deals=1500)
    for age in range(2):
        mean_is(batch.games["drawn"][:, age].astype(float), DRAWN_IN_SOLO)


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_equal_players_share_the_wins_equally(players: int, edition: str) -> None:
    """The random players differ only in name, so that every deal is played in every rotation.

    At most all players share the win of a game, so the mean share of each entry is 1/n. Its
    interval is made from whole deals, because the rotations of a deal belong together.
    """
    names = [f"random:play=0.25{'0' * zeros}" for zeros in range(players)]
    clans = clan_set(edition, players, halflings=False)
    deals = 2000
    batch = play_seats(load_rules(edition), names, players, clans=clans, seed=22, deals=deals)
    assert batch.table.rotations == players
    shares = np.zeros((deals, players))
    for entry in range(players):
        won = np.where(batch.seats["entry"] == entry, batch.seats["won"], 0).sum(axis=1)
        shares[:, entry] = won.reshape(deals, players).mean(axis=1) / 60
    assert shares.sum(axis=1) == pytest.approx(1)
    errors = shares.std(axis=0, ddof=1) / np.sqrt(deals)
    # All intervals together hold with a chance of 99 %.
    limit = norm.ppf(1 - 0.01 / 2 / players)
    assert (np.abs(shares.mean(axis=0) - 1 / players) < limit * errors).all()


def dealt(players: int, edition: str, deals: int, mode: str = "standard") -> Shuffled:
    """A table with its first `deals` deals."""
    clans = SOLO_CLANS if mode in SOLO else clan_set(edition, players, True)
    table = table_of(load_rules(edition), "random", players, mode, clans)
    records = np.zeros(deals, DEAL_DTYPE)
    prepared = PreparedTables([table]).views
    for number in range(deals):
        views = prepared.copy()
        shuffle_deal(views[0], records[number], np.uint64(23), np.int64(number))
    return table, records


def cards_and_top(table: GameTable) -> tuple[int, int]:
    """The number of cards, and how many of them are dealt above the half with the dragons."""
    total, start = 12 * len(table.slots), 3 * table.players
    return total, start + (total - start) // 2


def even(counts: np.ndarray) -> None:
    """Counts that should be equal pass a chi-square test at 99.9 %."""
    expected = counts.mean()
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert statistic < chi2.ppf(0.999, counts.size - 1)


@pytest.fixture(scope="module", params=[("second", 3), ("second", 4), ("first", 6)], ids=str)
def shuffled(request: pytest.FixtureRequest) -> Shuffled:
    """Deals of a small, a usual and a large table: an odd deck, an even one, one with halflings."""
    edition, players = request.param
    return dealt(players, edition, 3000)


@pytest.mark.parametrize("age", [0, 1])
def test_every_card_is_equally_often_first_in_hand(shuffled: Shuffled, age: int) -> None:
    table, deals = shuffled
    cards = 6 * len(table.slots)
    even(np.bincount(deals["order"][:, age, 0], minlength=cards))


def test_a_card_lies_equally_often_at_every_possible_place(shuffled: Shuffled) -> None:
    """The places of card 0 in hands, pool and the top half, which no dragon moves."""
    table, deals = shuffled
    total, top = cards_and_top(table)
    places = (deals["order"][:, 0, :top] == 0).sum(axis=0)
    even(places)
    assert places.sum() == pytest.approx(3000 * 2 * top / total, rel=0.05)


def test_dragons_lie_evenly_in_the_bottom_half_and_nowhere_else(shuffled: Shuffled) -> None:
    """The larger half of an odd deck lies at the bottom (R2)."""
    table, deals = shuffled
    total, top = cards_and_top(table)
    for age in range(2):
        dragons = (deals["order"][:, age, : total + 3] == DRAGON).sum(axis=0)
        assert not dragons[:top].any()
        assert dragons.sum() == 3 * len(deals)
        even(dragons[top:])


def test_every_region_gets_the_highest_token_equally_often(shuffled: Shuffled) -> None:
    _, deals = shuffled
    highest = deals["prestige_tokens"].max(axis=2)
    alone = (highest == highest.max(axis=1, keepdims=True)).sum(axis=1) == 1
    even(np.bincount(highest[alone].argmax(axis=1), minlength=6))


def test_ages_and_deals_are_shuffled_apart(shuffled: Shuffled) -> None:
    """The first cards of two ages, and of one deal and the next, are independent."""
    table, deals = shuffled
    slots = len(table.slots)
    first, *later = deals["order"][:, : table.rules.ages(table.players), 0].T // 6
    for other in (first[1:], *(age[:-1] for age in later)):
        even(np.bincount(first[:-1] * slots + other, minlength=slots * slots))


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_the_first_players_of_two_deals_are_independent(shuffled: Shuffled, apart: int) -> None:
    """Pairs that begin at an even and at an odd deal are counted separately.

    So deals that share their luck two by two are detected.
    """
    table, deals = shuffled
    first = deals["first_player"].astype(int)
    pairs = first[:-apart] * table.players + first[apart:]
    for half in (pairs[::2], pairs[1::2]):
        even(np.bincount(half, minlength=table.players**2))


def test_chance_decides_which_of_equally_high_tokens_bruno_takes() -> None:
    """Red and blue take equally often from white, green, yellow and black (R27).

    The mean of each region over 3,000 deals lies within 5 standard errors of the mean of all four.
    """
    _, deals = dealt(1, "second", 3000, "solo-regular")
    left = deals["prestige_tokens"][:, :4, :2].sum(axis=2)
    spread = left - left.mean(axis=1, keepdims=True)
    errors = spread.std(axis=0, ddof=1) / np.sqrt(len(left))
    assert (np.abs(spread.mean(axis=0)) < 5 * errors).all()
