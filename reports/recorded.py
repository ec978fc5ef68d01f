"""Compare the scores of recorded games with the scores at each level of skill.

For every recorded game the program plays many games at the same table (edition, number of players,
clans) with one strategy in all seats. A group of n recorded games is compared with groups of n
games that are drawn from these games, one per recorded game. So intervals hold for few games too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ethnos_sim.experiments.execution.progress import shown_progress
from ethnos_sim.experiments.matches.batch import Batch, play_batch
from ethnos_sim.experiments.recorded_games import RecordedGame, TableKind
from ethnos_sim.experiments.statistics.estimates import FloatArray
from ethnos_sim.experiments.statistics.intervals import wilson
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.page.levels import LADDER
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Section, Text
from ethnos_sim.reports.rendering.numbers import clan_label, listed
from ethnos_sim.reports.rendering.table import Column, Table
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.utilities.errors import WrongInput

DRAWS = 4_000
"""The number of groups that are drawn from the program's games."""

EACH = 2_000
"""The default number of games of each strategy at each kind of table."""

LEAST = 100
"""The fewest games of each strategy at each kind of table."""

LEVEL = 0.05

MOST_GAMES_SHOWN = 12


MEASURES: Mapping[str, Callable[[np.ndarray], FloatArray]] = {
    "mean score": lambda scores: scores.mean(axis=-1),
    "winning score": lambda scores: scores.max(axis=-1),
    "winner ahead by": lambda scores: np.diff(np.sort(scores, axis=-1))[..., -1],
    "last behind by": lambda scores: scores.max(axis=-1) - scores.min(axis=-1),
}
"""The measures of a game's scores that are compared, (..., players) -> (...)."""


def _scores(batch: Batch) -> np.ndarray:
    """The prestige of every seat, (games, players)."""
    return np.asarray(batch.seat_records["prestige"].astype(int))


def _starter_share(batch: Batch) -> float:
    """The share of wins of the player who began."""
    first = batch.game_records["first_player"].astype(np.intp)
    won = batch.seat_records["won"][np.arange(len(batch)), first]
    return float(np.mean(won / SIXTIETHS))


@dataclass(frozen=True, eq=False)
class RecordedComparison:
    """Recorded games, and the program's games at the same tables.

    Attributes:
        games: the recorded games.
        played: the program's games by strategy and table.
        seed: the seed of the program's games and of the draws.
    """

    games: tuple[RecordedGame, ...]
    played: Mapping[str, Mapping[TableKind, Batch]]
    seed: int

    def draws(
        self, level: str, measure: str, games: Sequence[RecordedGame] | None = None
    ) -> FloatArray:
        """Draw groups of a level's games, and return the mean of a measure in each group.

        A group has one game for each recorded game, at the same table.

        Returns:
            One mean per group, shape (DRAWS,).
        """
        generator = np.random.default_rng(self.seed)
        total = np.zeros(DRAWS)
        recorded = self.games if games is None else games
        for game in recorded:
            values = MEASURES[measure](_scores(self.played[level][game.table]))
            total += values[generator.integers(len(values), size=DRAWS)]
        return total / len(recorded)

    @cached_property
    def nearest(self) -> str:
        """The level whose mean score is nearest to the recorded one, in standard deviations."""
        recorded = _mean(self.games, "mean score")

        def distance(level: str) -> float:
            drawn = self.draws(level, "mean score")
            return float(abs(recorded - drawn.mean()) / max(drawn.std(), 1e-9))

        return min(self.played, key=distance)


def compare_recorded(
    recorded: Sequence[RecordedGame],
    *,
    games: int | None = None,
    seed: int = 1,
    levels: Sequence[str] = LADDER[:-1],
    jobs: int | None = None,
    quiet: bool = False,
) -> RecordedComparison:
    """Play every table of recorded games with each level of the ladder in all seats.

    Args:
        recorded: from `read_recorded_games`.
        games: games in all, divided evenly among strategies and tables; EACH for every strategy at
            every table unless given.
        seed: master seed.
        levels: the strategies; all of the ladder but the last, which takes long, unless given.
        jobs: threads to play with; the result does not depend on it.
        quiet: show no progress.

    Raises:
        WrongInput: fewer than LEAST games for each strategy and table.
    """
    tables = list(dict.fromkeys(game.table for game in recorded))
    kinds = len(tables) * len(levels)
    per_kind = EACH if games is None else games // kinds
    if per_kind < LEAST:
        raise WrongInput(
            f"{games:,} games are too few: {len(levels)} strategies at {len(tables)} kinds of "
            f"table need {LEAST * kinds:,} at least"
        )
    total = per_kind * kinds
    played: dict[str, dict[TableKind, Batch]] = {level: {} for level in levels}
    title = (
        f"Playing {total:,} games: {per_kind:,} with each of {len(levels)} strategies at each of "
        f"{len(tables)} kinds of table"
    )
    with shown_progress(title, total, 0, quiet=quiet) as shown:
        for level in levels:
            for table in tables:
                played[level][table] = play_batch(
                    table.edition,
                    level,
                    players=table.players,
                    clans=table.clans,
                    games=per_kind,
                    seed=seed,
                    jobs=jobs,
                )
                shown(per_kind)
    return RecordedComparison(tuple(recorded), played, seed)


def recorded_document(comparison: RecordedComparison) -> Document:
    """The comparison as a document."""
    count = len(comparison.games)
    sections = [
        Section("level", "How the scores compare", tuple(_level(comparison))),
        Section("games", "Games that stand out", tuple(_games(comparison))),
    ]
    with_clans = [game for game in comparison.games if game.table.clans]
    if with_clans:
        sections.append(
            Section("clans", "With each clan in play", tuple(_clans(comparison, with_clans)))
        )
    with_starter = [game for game in comparison.games if game.began is not None]
    if with_starter:
        sections.append(Section("began", "Who began", tuple(_starters(comparison, with_starter))))
    tables = next(iter(comparison.played.values()))
    facts = f"{count} recorded game{'s' * (count > 1)} at "
    facts += f"{len(tables)} kind{'s' * (len(tables) > 1)} of table"
    title = "Recorded games beside the program's"
    return Document(title, f"{facts}, each beside many of the program's.", NOTICE, tuple(sections))


def _mean(games: Sequence[RecordedGame], measure: str) -> float:
    return float(np.mean([MEASURES[measure](np.asarray(game.scores)) for game in games]))


def _range(means: FloatArray) -> tuple[float, float]:
    """The range of the middle 95 % of groups."""
    low, high = np.quantile(means, [LEVEL / 2, 1 - LEVEL / 2])
    return float(low), float(high)


def _with_range(means: FloatArray) -> str:
    """The mean of groups with the range of the middle 95 %, as text."""
    low, high = _range(means)
    return f"{means.mean():.0f} ({low:.0f} to {high:.0f})"


def _relation(mean: float, drawn: FloatArray) -> str:
    """Whether a mean is lower than the middle 95 % of groups, higher, or alike."""
    low, high = _range(drawn)
    return "lower" if mean < low else "higher" if mean > high else "alike"


def _level(comparison: RecordedComparison) -> list[Block]:
    """The ladder beside the recorded games."""
    drawn = {
        level: {measure: comparison.draws(level, measure) for measure in MEASURES}
        for level in comparison.played
    }
    recorded = {measure: _mean(comparison.games, measure) for measure in MEASURES}
    columns = [Column("who plays", ["recorded", *comparison.played])]
    columns += [
        Column(
            measure,
            [f"{recorded[measure]:.0f}", *(_with_range(drawn[level][measure]) for level in drawn)],
        )
        for measure in MEASURES
    ]
    places = [_relation(recorded["mean score"], drawn[level]["mean score"]) for level in drawn]
    columns.append(Column("recorded mean score is", ["", *places]))
    alike = [level for level, place in zip(drawn, places, strict=True) if place == "alike"]
    sentence = (
        f"The recorded mean score is what groups of {listed(alike)} would bring."
        if alike
        else f"No level of the ladder scores like that; the nearest is {comparison.nearest}."
    )
    caption = (
        "In brackets: the middle 95 % of groups of program games, each group with equally many "
        "games at the same tables."
    )
    note = (
        "Scores show how people play, not how well: a player who denies rivals scores less and "
        "wins more."
    )
    return [Text(sentence), Table(caption, tuple(columns)), Text(note, "note")]


def _games(comparison: RecordedComparison) -> list[Block]:
    batches = comparison.played[comparison.nearest]
    chances = np.empty(len(comparison.games))
    for place, game in enumerate(comparison.games):
        ahead = MEASURES["winner ahead by"](_scores(batches[game.table]))
        chances[place] = (1 + np.count_nonzero(ahead >= game.ahead)) / (1 + len(ahead))
    adjusted = holm(chances)
    order = np.argsort(chances, kind="stable")[:MOST_GAMES_SHOWN]
    lines = [comparison.games[place] for place in order]
    columns = (
        Column("line", [str(game.line) for game in lines]),
        Column("scores", [", ".join(map(str, game.scores)) for game in lines]),
        Column("winner", [game.names[int(np.argmax(game.scores))] for game in lines]),
        Column("ahead by", [str(game.ahead) for game in lines]),
        Column("so far ahead", [f"{chances[place]:.1%}" for place in order]),
        Column("", ["stands out" if adjusted[place] < LEVEL else "" for place in order]),
    )
    caption = (
        f"“So far ahead” is how often {comparison.nearest} wins by this much or more at the same "
        "table. A game stands out if this is significantly rare (Holm over all games, 5 %)."
    )
    return [Table(caption, columns)]


def _clans(comparison: RecordedComparison, games: Sequence[RecordedGame]) -> list[Block]:
    by_clan: dict[str, list[RecordedGame]] = {}
    for game in games:
        for clan in game.table.clans or ():
            by_clan.setdefault(clan, []).append(game)
    names = sorted(by_clan, key=lambda clan: (-len(by_clan[clan]), clan))
    recorded = [_mean(by_clan[clan], "mean score") for clan in names]
    drawn = [comparison.draws(comparison.nearest, "mean score", by_clan[clan]) for clan in names]
    columns = (
        Column("clan", [clan_label(clan) for clan in names]),
        Column("games", [str(len(by_clan[clan])) for clan in names]),
        Column("recorded mean score", [f"{mean:.0f}" for mean in recorded]),
        Column(comparison.nearest, [_with_range(means) for means in drawn]),
        Column("recorded is", [_relation(*pair) for pair in zip(recorded, drawn, strict=True)]),
    )
    return [Table("Games with the clan in play, beside the program's at the same tables.", columns)]


def _starters(comparison: RecordedComparison, games: Sequence[RecordedGame]) -> list[Block]:
    won = 0.0
    for game in games:
        best = max(game.scores)
        if game.began is not None and game.scores[game.began] == best:
            won += 1 / game.scores.count(best)
    low, high = wilson(won, len(games))
    batches = comparison.played[comparison.nearest]
    chance = float(np.mean([_starter_share(batches[game.table]) for game in games]))
    par = float(np.mean([1 / game.table.players for game in games]))
    return [
        Text(
            f"Who began won {won / len(games):.0%} of {len(games)} games (95 %: {low:.0%} to "
            f"{high:.0%}). With {comparison.nearest} in every seat of these tables, whoever begins "
            f"wins {chance:.1%}; {par:.1%} is a fair share. Scores do not tell how ties were "
            "broken, so a tie counts in parts."
        )
    ]
