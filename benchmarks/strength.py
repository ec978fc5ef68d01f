"""Measure the strength of the strategies: play and write the tables of docs/strategy-strength.md.

    python benchmarks/strength.py            # some four minutes of two cores

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

PAGE = Path(__file__).parents[1] / "docs" / "strategy-strength.md"

#: The games of most tables, of tables with look-ahead, and of tables with learned among champions.
GAMES, SLOW_GAMES, HEADLINE_GAMES = 8000, 5000, 20_000


def win_share(rules: Rules, name: str, rivals: str, games: int, players: int = PLAYERS) -> str:
    """The share of wins of `name` if `rivals` plays all other seats, with its interval."""
    seated = [name, *[rivals] * (players - 1)]
    match = prepare_match(rules, seated, players=players, seed=SEED)
    played = play_match(match, games, threads=2)
    share = next(row for row in strategy_shares(played) if row.name == name)
    low, high = 100 * share.low, 100 * share.high
    return f"{share.win_share:.1%} ({low:.1f} to {high:.1f})"


def table_row(label: str, name: str, rivals: str, games: int, players: int = PLAYERS) -> str:
    """A row of a page's table: the share of `name` among `rivals` in both editions."""
    shares = [win_share(load_rules(edition), name, rivals, games, players) for edition in EDITIONS]
    return f"| {label} | {' | '.join(shares)} |"


def page_lines() -> Iterator[str]:
    """Play the tables in the order of the page, and yield the page's lines."""
    columns = f"{' | '.join(load_rules(edition).title for edition in EDITIONS)} |\n|---|---|---|"
    yield "# How strong the strategies are\n"
    yield (
        "One seat among rivals of another strategy: its share of wins in percent, with its 95 % "
        "interval over deals. `python benchmarks/strength.py` plays the games and writes the page. "
        "Tables have four players unless the page says otherwise, rotated seats, clan sets that "
        "vary from deal to deal, and "
        f"{GAMES:,} games with seed {SEED} ({SLOW_GAMES:,} of look-ahead).\n"
    )
    yield f"| against three champions | {columns}"
    for strategy in list_strategies():
        if strategy.name != "champion":
            played = SLOW_GAMES if strategy.policy else GAMES
            yield table_row(strategy.name, strategy.name, "champion", played)
    yield f"\n| strategy | against three | {columns}---|"
    yield table_row("champion | greedy", "champion", "greedy", GAMES)
    yield table_row("lookahead | learned", "lookahead", "learned", SLOW_GAMES)
    yield f"\n| learned among champions | {columns}"
    for players in range(2, 7):
        among = HEADLINE_GAMES if players == PLAYERS else GAMES
        label = f"{players} players, {among:,} games, even {1 / players:.1%}"
        yield table_row(label, "learned", "champion", among, players)
    yield ""


def write_page() -> None:
    """Play the tables, and write the page."""
    lines = []
    for line in page_lines():
        print(line, file=sys.stderr)
        lines.append(line)
    PAGE.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    run(write_page)
