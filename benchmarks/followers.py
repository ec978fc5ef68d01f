"""Test whether a player wins more by following the clans' worth, or one of two other tables.

One seat prefers clans as leaders by a table: by their worth, by win lift in the same games, or by
how often they are led. It adds the bonus of the leader's clan to its value of a party. The other
seats are the same player without bonuses, so following a table without information wins a fair
share. All tables are scaled to the same spread. The weight of a table is the best of SCALES, chosen
in games of four players with another seed.

    python benchmarks/followers.py FOLDER [GAMES] > followers.csv
    python benchmarks/followers.py followers.csv --draw followers.svg
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from runner import run

from ethnos_sim import estimate
from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.matches.match import play_match, prepare_match
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_led,
    cards_in_hand,
    hand_is_full,
    kernel,
    larger_group,
    last_dragon_next,
    marker_worth,
    party_prestige,
    party_worth,
    play,
    region_open,
    take_or_draw,
)

FOLLOWERS = ("patient", "hasty", "hoarder_of_points")
ESTIMANDS = {"worth": "worth", "win lift": "win_lift", "usage": "usage"}
COLORS = ("#0b5cad", "#b84d00", "#1d7a46")
SCALES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Weights of a table, in points of prestige for a clan one standard deviation above average."""

USUAL_PLAYERS = 4
SEARCH, FINAL_SEED = (4_000, 11), 12
"""Games and seed of the search for a weight, and the seed of the games that are reported."""

REGIONS, CLANS = 6, 12

BONUS = [
    Parameter(f"c{number}", 0, -100, 100, "points for a party that a card of this clan leads")
    for number in range(CLANS)
]


@kernel
def bonuses(p: Any) -> Any:
    """The bonus of each clan, by its number."""
    return p.c0, p.c1, p.c2, p.c3, p.c4, p.c5, p.c6, p.c7, p.c8, p.c9, p.c10, p.c11


@kernel
def clan_bonus(view: Any, leader: Any, bonus: Any) -> Any:
    """The bonus of a leader's clan."""
    return bonus[view.clan[leader // REGIONS]]


@kernel
def worth_with_bonus(view: Any, leader: Any, bonus: Any) -> Any:
    """The worth of a leader's party in this age and the next ones, plus its bonus."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    marker = marker_worth(view, leader % REGIONS, 0.75)
    return party_worth(view, leader, members, size, marker, 0.75) + clan_bonus(view, leader, bonus)


@kernel
def size_with_bonus(view: Any, leader: Any, bonus: Any) -> Any:
    """The size of a party plus its bonus, and 1,000 more if it places a marker."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    opens = region_open(view, leader % REGIONS, view.power[leader // REGIONS], size)
    return (1000.0 if opens else 0.0) + members + clan_bonus(view, leader, bonus)


@kernel
def prestige_with_bonus(view: Any, leader: Any, bonus: Any) -> Any:
    """The prestige of a leader's party if the age ended now, plus its bonus."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    return party_prestige(view, leader, size, members) + clan_bonus(view, leader, bonus)


@strategy(*BONUS)
def patient(view: Any, parameters: Any) -> Any:
    """Waits for a party that is worth six points or more, in this age and the next ones."""
    party, value = best_led(view, worth_with_bonus, bonuses(parameters))
    if party.leader >= 0 and (value >= 6 or hand_is_full(view) or last_dragon_next(view)):
        return play(party)
    return take_or_draw(view)


@strategy(*BONUS)
def hasty(view: Any, parameters: Any) -> Any:
    """Plays any party that places a marker, at once."""
    party, value = best_led(view, size_with_bonus, bonuses(parameters))
    if party.leader >= 0 and (value > 500 or hand_is_full(view) or last_dragon_next(view)):
        return play(party)
    return take_or_draw(view)


@strategy(*BONUS)
def hoarder_of_points(view: Any, parameters: Any) -> Any:
    """Waits for parties of five cards and more."""
    party, _ = best_led(view, prestige_with_bonus, bonuses(parameters))
    if party.leader >= 0 and (party.size >= 5 or hand_is_full(view) or last_dragon_next(view)):
        return play(party)
    return take_or_draw(view)


def scaled_estimates(folder: str, estimand: str, edition: str, players: int) -> list[float]:
    """An estimand of each clan, in standard deviations from the mean; 0 if it has no estimate."""
    estimates = estimate(
        folder, estimand, edition=edition, players=players, mode="standard", strategies=STRONGEST
    )
    values = dict(estimates.filter(population=STRONGEST).select("name", "value").rows())
    known = np.asarray(list(values.values()))
    mean, spread = known.mean(), known.std()
    return [
        float((values[clan] - mean) / spread) if clan in values else 0.0
        for clan in load_rules(edition).clans
    ]


def win_share(
    follower: str, bonuses: Iterable[float], edition: str, players: int, games: int, seed: int
) -> tuple[float, float]:
    """The follower's share of wins, and half the length of its 95 % interval over deals."""
    settings = ":".join(f"c{number}={bonus:.4f}" for number, bonus in enumerate(bonuses))
    seated = [f"{follower}:{settings}", *[follower] * (players - 1)]
    match = prepare_match(load_rules(edition), seated, players=players, seed=seed)
    by_deal = play_match(match, games, threads=None).won[:, 0] / (SIXTIETHS * match.rotations)
    return float(by_deal.mean()), 1.96 * float(by_deal.std(ddof=1) / np.sqrt(len(by_deal)))


def draw_wins(measured: Path, picture: Path) -> None:
    """Draw the wins of each follower with each table, in fair shares, from a file of `measure`."""
    import matplotlib.pyplot as plt
    import seaborn

    players = pl.col("players")
    beside = pl.col("table").replace_strict(list(ESTIMANDS), [-0.2, 0.0, 0.2])
    played = pl.read_csv(measured).with_columns(
        players + beside, wins=players * pl.col("wins"), half=players * pl.col("half")
    )
    by = {"row": "edition", "col": "follower", "hue": "table", "palette": COLORS}
    grid = seaborn.FacetGrid(played.to_pandas(), **by, height=2.6, despine=True)
    grid.map(plt.errorbar, "players", "wins", "half", fmt="o", markersize=4)
    grid.refline(y=1)
    grid.set_titles("{col_name}, {row_name} edition")
    grid.set_axis_labels("players", "wins, in fair shares")
    grid.add_legend(title="follows")
    grid.savefig(picture, metadata={"Date": None})


def measure(folder: str, games: int = 20_000, *, draw: Path | None = None) -> None:
    """Print a line by edition, player count, follower and table, or draw the lines of a file."""
    if draw:
        draw_wins(Path(folder), draw)
        return
    print("edition,players,follower,table,scale,wins,half")
    for edition in ("second", "first"):
        weight = {}
        for players in sorted(range(2, 7), key=lambda players: players != USUAL_PLAYERS):
            for name, estimand in ESTIMANDS.items():
                table = np.asarray(scaled_estimates(folder, estimand, edition, players))
                for follower in FOLLOWERS:
                    at = edition, players
                    if players == USUAL_PLAYERS:
                        tried = {
                            scale: win_share(follower, scale * table, *at, *SEARCH)[0]
                            for scale in SCALES
                        }
                        weight[follower, name] = max(tried, key=lambda scale: tried[scale])
                    scale = weight[follower, name]
                    share, half = win_share(follower, scale * table, *at, games, FINAL_SEED)
                    line = edition, players, follower, name, scale, f"{share:.4f}", f"{half:.4f}"
                    print(*line, sep=",", flush=True)


if __name__ == "__main__":
    run(measure)
