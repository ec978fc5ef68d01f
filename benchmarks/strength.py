"""Measure the strength of the strategies: play and write the tables of docs/strategy-strength.md.

    python benchmarks/strength.py            # some four minutes of two cores
    python benchmarks/strength.py --games 2000 --slow-games 500 --out strength.md
    python benchmarks/strength.py --check    # plays every figure again and says which moved
    python benchmarks/strength.py --check --quick   # a twentieth of the games

In both editions, four players with rotated seats play these tables: the champion against three
greedy players, every other strategy against three champions, look-ahead against three learned
players, and the learned player among champions at two to six players. The shape of games of
champions and of random players, and the speed of tables, are measured too. Look-ahead plays fewer
games. With --check the page does not change, and the exit code is 1 if a figure moved.
"""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner import run
from throughput import Workload, in_turn, medians

from ethnos_sim import load_rules
from ethnos_sim.experiments.matches.match import Match, play_match, play_records, prepare_match
from ethnos_sim.reports.rating.shares import strategy_shares
from ethnos_sim.simulator.rules import EDITIONS, Rules
from ethnos_sim.strategies import list_strategies

PLAYERS = 4
SEED = 20
DECK_CLANS = slice(3, 9)

DOCUMENTS = Path(__file__).parents[1] / "docs"
PAGE = DOCUMENTS / "strategy-strength.md"

#: The games of most tables, of tables with look-ahead, and of tables with learned among champions.
GAMES = 8000, 5000, 20_000
QUICK = 400, 100, 1000

#: The number of speed measurements of a strategy, and the seconds that they take together.
ROUNDS, SECONDS = 45, 2.0

#: A share moved if it differs by more than this number of standard errors.
ERRORS = 4.0

#: Any other number moved if it differs by more than this fraction of its stored value.
PART = 0.15

#: A figure with its interval, in the form of the tables.
ESTIMATE = re.compile(r"([+-]?[\d.]+)%?(?: \|)? \(?([+-]?[\d.]+)%? to ([+-]?[\d.]+)%?")
NUMBER = re.compile(r"\d[\d,]*\.?\d*")


def share_of(rules: Rules, name: str, rivals: str, games: int, players: int = PLAYERS) -> str:
    """The share of wins of `name` if `rivals` plays all other seats, with interval, as cells."""
    seated = [name, *[rivals] * (players - 1)]
    match = prepare_match(rules, seated, players=players, seed=SEED)
    played = play_match(match, games, threads=2)
    share = next(row for row in strategy_shares(played) if row.name == name)
    return f"{share.win_share:.1%} | {share.low:.1%} to {share.high:.1%} | {played.games:,}"


def one_table(rules: Rules, name: str) -> Match:
    """A table with one strategy in all seats."""
    clans = rules.clans[DECK_CLANS]
    return prepare_match(rules, [name], players=PLAYERS, seed=SEED, clans=clans)


def shape_of(rules: Rules, name: str, games: int) -> str:
    """Mean prestige, turns, parties and cards per party with one strategy in all seats."""
    played, seats = play_records(one_table(rules, name), range(games), games)
    parties = seats["parties"].sum()
    return (
        f"{seats['prestige'].mean():.1f} | {played['turns'].mean():.0f} | "
        f"{seats['parties'].mean():.1f} | {seats['cards'].sum() / parties:.2f}"
    )


def speed_lines(rules: Rules) -> Iterator[str]:
    """The lines that compare the speed of champion with greedy, and of learned with champion."""
    workloads = {
        name: Workload(one_table(rules, name), clock=time.process_time).sample
        for name in ("greedy", "champion", "learned")
    }
    rates = in_turn(workloads, SECONDS, ROUNDS)
    for name in ("champion", "learned"):
        part = medians(rates[name], rates["greedy"])[1].games_per_s
        yield (
            f"\nOn one thread four {name} play {part:.3f} times the games per second of four "
            f"greedy (median of {ROUNDS}, measured in turn, in processor time)."
        )
    part = medians(rates["learned"], rates["champion"])[1].decisions_per_s
    yield f"\nOn one thread learned makes {part:.3f} times the decisions per second of champion."


def page(games: int, slow_games: int, headline_games: int) -> Iterator[str]:
    """The page's lines."""
    yield "# How strong the strategies are\n"
    yield (
        "This page says how strong each strategy is; `ethnos-sim match --strategies A,B` plays two "
        "of them. `python benchmarks/strength.py` writes the page, and with `--check` it plays the "
        "games again. Tables have four players unless the page says otherwise, rotated seats, clan "
        f"sets that vary from deal to deal, and seed {SEED}. Intervals are 95 % intervals over "
        "deals; an even share is 25 %.\n"
    )
    for edition in EDITIONS:
        rules = load_rules(edition)
        yield f"## {rules.title}\n"
        yield "One champion against three greedy players:\n"
        yield "| share | interval | games |\n|---|---|---|"
        yield f"| {share_of(rules, 'champion', 'greedy', games)} |\n"
        yield "One player of each strategy against three champions:\n"
        yield "| strategy | share | interval | games |\n|---|---|---|---|"
        for strategy in list_strategies():
            if strategy.name != "champion":
                played = slow_games if strategy.policy else games
                yield f"| {strategy.name} | {share_of(rules, strategy.name, 'champion', played)} |"
        yield "\nOne look-ahead against three learned:\n"
        yield "| share | interval | games |\n|---|---|---|"
        yield f"| {share_of(rules, 'lookahead', 'learned', slow_games)} |"
        yield "\nOne learned among champions, by number of players:\n"
        yield "| players | even | share | interval | games |\n|---|---|---|---|---|"
        for players in range(2, 7):
            among = headline_games if players == PLAYERS else games
            share = share_of(rules, "learned", "champion", among, players)
            yield f"| {players} | {1 / players:.1%} | {share} |"
        yield "\nThe same strategy in all seats:\n"
        yield (
            "| strategy | mean prestige | turns | parties a player | cards a party |\n"
            "|---|---|---|---|---|"
        )
        for name in ("champion", "random"):
            yield f"| {name} | {shape_of(rules, name, games)} |"
        yield from speed_lines(rules)
        yield ""


def moved(stored: str, fresh: str) -> bool:
    """Whether a line's figures moved: the figures with an interval, or else all numbers."""
    figures = [ESTIMATE.findall(line) for line in (stored, fresh)]
    if all(figures):
        return any(
            abs(float(share) - float(other))
            > ERRORS
            * math.hypot(
                (float(high) - float(low)) / 3.92, (float(other_high) - float(other_low)) / 3.92
            )
            for (share, low, high), (other, other_low, other_high) in zip(*figures, strict=True)
        )
    numbers = [
        [float(number.replace(",", "")) for number in NUMBER.findall(line)]
        for line in (stored, fresh)
    ]
    return any(abs(b - a) > PART * abs(a) for a, b in zip(*numbers, strict=True))


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
