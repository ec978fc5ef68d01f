"""Measure the strength of the strategies: play and write the tables of docs/strategy-strength.md.

    python benchmarks/strength.py            # some four minutes of two cores
    python benchmarks/strength.py --games 2000 --slow-games 500 --out strength.md
    python benchmarks/strength.py --check    # plays every figure again and says which moved
    python benchmarks/strength.py --check --quick   # a twentieth of the games

In both editions, four players with rotated seats play these tables: the champion against three
greedy players, every other strategy against three champions, look-ahead against three learned
players, and the learned player among champions at two to six players. Look-ahead plays fewer games.
With --check the page does not change, and the exit code is 1 if a figure moved.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Sequence
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
GAMES = 8000, 5000, 20_000
QUICK = 400, 100, 1000

#: A share moved if it differs by more than this number of standard errors.
ERRORS = 4.0

#: A figure with its interval, in the form of the tables.
ESTIMATE = re.compile(r"([\d.]+)% \(([\d.]+) to ([\d.]+)\)")
NUMBER = re.compile(r"[\d.,]*\d")


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
        "interval over deals. `python benchmarks/strength.py` writes the page, and with `--check` "
        "it plays the games again. Tables have four players unless the page says otherwise, "
        "rotated seats, clan sets that vary from deal to deal, and "
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


def moved(stored: str, fresh: str) -> bool:
    """Whether a figure of a line moved."""
    return any(
        abs(float(share) - float(other))
        > ERRORS
        * math.hypot(
            (float(high) - float(low)) / 3.92, (float(other_high) - float(other_low)) / 3.92
        )
        for (share, low, high), (other, other_low, other_high) in zip(
            ESTIMATE.findall(stored), ESTIMATE.findall(fresh), strict=True
        )
    )


def check_page(stored: Sequence[str], fresh: Sequence[str]) -> int:
    """Print which lines' figures moved; return 1 if one did, or if the stored lines differ."""
    if [NUMBER.sub("", line) for line in stored] != [NUMBER.sub("", line) for line in fresh]:
        print("the page has other lines than a new page would have")
        return 1
    return print_moves(list(zip(stored, fresh, strict=True)))


def print_moves(pairs: Sequence[tuple[str, str]]) -> int:
    """Print which pairs of lines, stored and fresh, moved; return 1 if one did."""
    lines = [pair for pair in pairs if moved(*pair)]
    for before, now in lines:
        print(f"- {before.strip()}\n+ {now.strip()}")
    print(f"{len(lines)} of {len(pairs)} lines moved")
    return int(bool(lines))


def record(
    *,
    games: int | None = None,
    slow_games: int | None = None,
    headline_games: int | None = None,
    check: bool = False,
    quick: bool = False,
    out: Path = PAGE,
) -> int:
    """Play the tables, and write the page or compare it with them."""
    usual = QUICK if quick else GAMES
    games, slow_games = games or usual[0], slow_games or usual[1]
    lines = []
    for line in page(games, slow_games, headline_games or usual[2]):
        print(line, file=sys.stderr)
        lines.append(line)
    if check:
        stored = PAGE.read_text(encoding="utf-8").split("\n")
        return check_page(stored, "\n".join(lines).split("\n"))
    out.write_text("\n".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    run(record)
