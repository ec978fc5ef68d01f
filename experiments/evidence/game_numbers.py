"""The numbers that a finished game adds to the sums, and the expected length of an age.

Numbers that compare the seats of a game are computed from arrays of shape (players, games).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.storage.tables import led_column
from ethnos_sim.simulator.game.limits import MAX_AGES
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules

PRESTIGE_SOURCES = ("regions", "sea", "largest", "settlement", "coins", "party_points", "powers")
"""The columns of `seats` that add up to a seat's prestige."""

AGES = tuple(range(1, MAX_AGES + 1))

FAR_BEHIND = 6
"""A seat is far behind if it is at least this many points behind the leader."""

EARLY_AGES = MAX_AGES - 1
"""The number of ages that can be followed by another age, in which a seat may catch up."""

TURNS_A_BIN = 10
TURN_BINS = 60
"""The width and the number of the bins of turns; the last bin also has all longer games."""


def seat_arrays(games: pl.DataFrame, seats: pl.DataFrame, *columns: str) -> IntArray:
    """Columns of `seats` as an int64 array, shape (columns, players, games).

    Raises ValueError unless the rows of a game are adjacent, in the order of `games`.
    """
    players = len(seats) // max(len(games), 1)
    whole = players * len(games) == len(seats)
    if not whole or not all(
        np.array_equal(seats[key].to_numpy()[::players], games[key].to_numpy())
        for key in ("game", "cell")
    ):
        raise ValueError("the seats are not in the order of the games")
    rows = seats.select(pl.col(columns).cast(pl.Int64)).to_numpy()
    of_games = rows.T.reshape(len(columns), len(games), players)
    return np.ascontiguousarray(of_games.transpose(0, 2, 1))


def game_numbers(
    games: pl.DataFrame, seats: pl.DataFrame, clans: tuple[str, ...]
) -> dict[str, IntArray]:
    """The numbers of ordinary games that are summed, int64; the first axis is the game.

    Numbers whose names end in `won` are weighted by the column `won`, so they are in sixtieths.

    Args:
        games: one row for each game: cell, game, deal, first_player, winners, turns,
            drawn_1 … drawn_3.
        seats: the rows of these games in the same order, one for each player: cell, game, seat,
            entry, won, prestige, prestige_1 … prestige_3, the sources, parties, cards, led_<clan>.
        clans: the clans of the edition.

    Returns:
        A number for each game: `games`, which is 1; `shared`, whether the win was shared; `turns`;
        the totals over all seats of `cards` in parties, `parties` and `parties_won`. By clan: `led`
        and `led_won`. By PRESTIGE_SOURCES: `source` and `source_won`. Wins of seats: by the first
        age's order of play (`turn_won`) and by entry of the line-up (`entry_won`). Also the numbers
        of `_score_numbers`, `_draw_numbers` and `_lead_numbers`, some of them by age.
    """
    won, seat, entry, prestige = seat_arrays(games, seats, "won", "seat", "entry", "prestige")
    first = games["first_player"].to_numpy().astype(np.int64)
    parties, cards = seat_arrays(games, seats, "parties", "cards")
    of_seats = {
        "parties": parties,
        "source": seat_arrays(games, seats, *PRESTIGE_SOURCES),
        "led": seat_arrays(games, seats, *map(led_column, clans)),
    }
    places = {"turn_won": (seat - first) % len(seat), "entry_won": entry}
    numbers = {
        "games": np.ones(len(games), np.int64),
        "shared": (games["winners"].to_numpy() > 1).astype(np.int64),
        "turns": games["turns"].to_numpy().astype(np.int64),
        "cards": cards.sum(axis=0),
        **{name: values.sum(axis=-2).T for name, values in of_seats.items()},
        **{f"{name}_won": (values * won).sum(axis=-2).T for name, values in of_seats.items()},
        **{name: _wins_in_order(won, place).T for name, place in places.items()},
    }
    numbers |= _score_numbers(prestige)
    return numbers | _draw_numbers(games, numbers) | _lead_numbers(games, seats, won, prestige)


def _age_columns(games: pl.DataFrame, column: str) -> IntArray:
    """The columns of `games` with a number for each age, as an array (games, ages)."""
    return games.select(pl.col(f"{column}_{age}").cast(pl.Int64) for age in AGES).to_numpy()


def _wins_in_order(won: IntArray, order: IntArray) -> IntArray:
    """The wins of seats, (players, games), rearranged: `order` has the new index of each seat."""
    placed = np.empty_like(won)
    np.put_along_axis(placed, order, won, axis=0)
    return placed


def _score_numbers(prestige: IntArray) -> dict[str, IntArray]:
    """Numbers of games from the prestige of their seats, (players, games).

    prestige, prestige_squared: sums over the seats; totals_squared: the square of the sum;
    margin: the highest prestige less the second highest.
    """
    summed = prestige.sum(axis=0)
    second, best = np.partition(prestige, len(prestige) - 2, axis=0)[-2:]
    return {
        "prestige": summed,
        "prestige_squared": (prestige**2).sum(axis=0),
        "totals_squared": summed**2,
        "margin": best - second,
    }


def _draw_numbers(games: pl.DataFrame, numbers: dict[str, IntArray]) -> dict[str, IntArray]:
    """Cards drawn by age, their total squared, and their total times each of LENGTH_DEPENDENT."""
    drawn = _age_columns(games, "drawn")
    cards = drawn.sum(axis=1)
    times = {f"drawn_{name}": cards * numbers[name] for name in LENGTH_DEPENDENT}
    return {"drawn": drawn, "drawn_squared": cards**2, **times}


LENGTH_DEPENDENT = ("turns", "parties", "prestige")
"""The numbers that grow with the number of cards that are drawn in a game."""


def _lead_numbers(
    games: pl.DataFrame, seats: pl.DataFrame, won: IntArray, prestige: IntArray
) -> dict[str, IntArray]:
    """The seats that lead and the seats that are far behind after each age, and their wins.

    lead_changes: how often no leader after an age leads after the next age. leaders_shuffled: see
    `shuffled_wins`. By age: leaders, the seats with the most prestige after the age, and
    leaders_won. By age before the last: behind, the seats that are FAR_BEHIND points behind after
    the age, and behind_won.
    """
    points = seat_arrays(games, seats, *(f"prestige_{age}" for age in AGES))
    deficit = points.max(axis=1, keepdims=True) - points
    leads = deficit == 0
    played = _age_columns(games, "drawn").T > 0
    goes_on = played[1:, None]
    behind = (deficit[:EARLY_AGES] >= FAR_BEHIND) & goes_on
    before_last = np.zeros_like(prestige)
    for age in range(EARLY_AGES):
        before_last = np.where(goes_on[age], points[age], before_last)
    lost = played[1:] & ~(leads[1:] & leads[:-1]).any(axis=1)
    return {
        "lead_changes": lost.sum(axis=0),
        "leaders_shuffled": shuffled_wins(before_last, prestige),
        "leaders": leads.sum(axis=1).T,
        "leaders_won": (won * leads).sum(axis=1).T,
        "behind": behind.sum(axis=1).T,
        "behind_won": (won * behind).sum(axis=1).T,
    }


def shuffled_wins(before: IntArray, after: IntArray) -> IntArray:
    """The wins of leaders if the gains of the last age were shuffled among the players of a game.

    Args:
        before: prestige of the seats before the last age, (players, games).
        after: prestige at the end.

    Returns:
        Shape (games,): the wins, in sixtieths, of the seats that lead before the last age. They are
        summed over all permutations of the gains; players with equal prestige share a win.
    """
    players, games = before.shape
    start, gains = before.astype(np.int32), (after - before).astype(np.int32)
    leads = start == start.max(axis=0)
    parts = SIXTIETHS // np.maximum(np.arange(players + 1), 1)
    won = np.zeros(games, np.int64)
    for order in permutations(range(players)):
        ends = start + gains[list(order)]
        best = ends == ends.max(axis=0)
        won += (best & leads).sum(axis=0) * parts[best.sum(axis=0)]
    return won


def solo_numbers(games: pl.DataFrame, seats: pl.DataFrame) -> dict[str, IntArray]:
    """The numbers of each solo game, whose seats are the player's and Bruno's.

    Returns:
        `games`, and `won` by the player, in sixtieths.
    """
    (won,) = seat_arrays(games, seats, "won")
    return {"games": np.ones(len(games), np.int64), "won": won[0]}


def turn_counts(games: pl.DataFrame, group: IntArray, groups: int) -> IntArray:
    """The number of games by group and by bin of turns.

    Args:
        games: one row for each game, with its turns.
        group: the index of each game's group, (games,).
        groups: the number of groups.

    Returns:
        Shape (groups, TURN_BINS), int64.
    """
    place = np.minimum(games["turns"].to_numpy().astype(np.int64) // TURNS_A_BIN, TURN_BINS - 1)
    counts = np.bincount(group * TURN_BINS + place, minlength=groups * TURN_BINS)
    return counts.reshape(groups, TURN_BINS)


def expected_draws(deck: int, top: int, dragons: int, ending_dragon: int) -> Fraction:
    """The mean number of ally cards drawn in an age from a deck of `deck` ally cards.

    The `top` uppermost cards are no dragons. Below lie N cards, d of them dragons, and the k-th
    dragon ends the age. Its mean position among the N cards is k (N + 1) / (d + 1): the mean of the
    k-th smallest of d numbers drawn from 1 to N. k of the cards down to this position are dragons.
    """
    places = deck - top + dragons
    return top + Fraction(ending_dragon * (places + 1), dragons + 1) - ending_dragon


def expected_game_draws(clans: ClanSet, rules: Rules, players: int) -> Fraction | None:
    """The mean number of ally cards drawn in a game; None if wild cards may end a game early."""
    if rules.number("ten_wild_wins"):
        return None
    deck = sum(map(rules.cards_of, clans)) - rules.cards_dealt(players)
    dragons, parts = rules.number("dragons"), rules.number("dragons_in")
    top = deck + -deck // parts  # the cards above the part with the dragons (R2)
    return rules.ages(players) * expected_draws(deck, top, dragons, rules.ending_dragon)
