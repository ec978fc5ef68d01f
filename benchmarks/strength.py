"""Measure the strength of the strategies: play and write the tables of docs/strategy-strength.md.

    python benchmarks/strength.py            # some four minutes of two cores
    python benchmarks/strength.py --games 2000 --slow-games 500 --out strength.md

In both editions, four players with rotated seats play these tables: the champion against three
greedy players, every other strategy against three champions, look-ahead against three learned
players, and the learned player among champions at two to six players. Look-ahead plays fewer games.
The seed is fixed, so a figure differs from the stored page only if games do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from runner import run

from ethnos_sim import load_rules
from ethnos_sim.experiments.matches.match import play_match, prepare_match
from ethnos_sim.reports.rating.shares import strategy_shares
from ethnos_sim.simulator.rules import EDITIONS, Rules
from ethnos_sim.strategies import list_strategies

PLAYERS = 4
SEED = 20

DOCUMENTS = Path(__file__).parents[1] / "docs"
PAGE = DOCUMENTS / "strategy-strength.md"

#: The games of most tables, of tables with look-ahead, and of tables with learned among champions.
GAMES, SLOW_GAMES, HEADLINE_GAMES = 8000, 5000, 20_000


def share_of(rules: Rules, name: str, rivals: str, games: int, players: int = PLAYERS) -> str:
    """The share of wins of `name` if `rivals` plays all other seats, with its interval."""
    seated = [name, *[rivals] * (players - 1)]
    match = prepare_match(rules, seated, players=players, seed=SEED)
    played = play_match(match, games, threads=2)
    share = next(row for row in strategy_shares(played) if row.name == name)
    low, high = 100 * share.low, 100 * share.high
    return f"{share.win_share:.1%} ({low:.1f} to {high:.1f})"


def row_of(label: str, name: str, rivals: str, games: int, players: int = PLAYERS) -> str:
    """A row: the share of `name` among `rivals` in both editions."""
    shares = [share_of(load_rules(edition), name, rivals, games, players) for edition in EDITIONS]
    return f"| {label} | {' | '.join(shares)} |"


def page(games: int, slow_games: int, headline_games: int) -> Iterator[str]:
    """The page's lines."""
    columns = f"{' | '.join(load_rules(edition).title for edition in EDITIONS)} |\n|---|---|---|"
    yield "# How strong the strategies are\n"
    yield (
        "One seat among rivals of another strategy: its share of wins in percent, with its 95 % "
        "interval over deals. `python benchmarks/strength.py` plays the games and writes the page. "
        "Tables have four players unless the page says otherwise, rotated seats, clan sets that "
        "vary from deal to deal, and "
        f"{games:,} games with seed {SEED} ({slow_games:,} of look-ahead).\n"
    )
    yield f"| against three champions | {columns}"
    for strategy in list_strategies():
        if strategy.name != "champion":
            played = slow_games if strategy.policy else games
            yield row_of(strategy.name, strategy.name, "champion", played)
    yield f"\n| strategy | against three | {columns}---|"
    yield row_of("champion | greedy", "champion", "greedy", games)
    yield row_of("lookahead | learned", "lookahead", "learned", slow_games)
    yield f"\n| learned among champions | {columns}"
    for players in range(2, 7):
        among = headline_games if players == PLAYERS else games
        label = f"{players} players, {among:,} games, even {1 / players:.1%}"
        yield row_of(label, "learned", "champion", among, players)
    yield ""


def record(
    *,
    games: int = GAMES,
    slow_games: int = SLOW_GAMES,
    headline_games: int = HEADLINE_GAMES,
    out: Path = PAGE,
) -> None:
    """Play the tables, and write the page."""
    lines = []
    for line in page(games, slow_games, headline_games):
        print(line, file=sys.stderr)
        lines.append(line)
    out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    run(record)
