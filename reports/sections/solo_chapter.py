"""What the solo sections share: evidence, names, rows of numbers, which strategy is which."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from ethnos_sim.experiments.plans.plan import EditionRules
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.solo import estimate_win_rate
from ethnos_sim.reports.evidence.solo_evidence import SIDES, Matchup, SoloEvidence, SoloSums
from ethnos_sim.reports.rendering.labels import DIFFICULTIES
from ethnos_sim.reports.rendering.table import Label, Row
from ethnos_sim.simulator.modes import SOLO_EDITION
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import Strategy, StrategyError, get_strategy


@dataclass(frozen=True, eq=False)
class SoloChapter:
    """All solo games with what it takes to write about them; without `modes` there are none."""

    evidence: SoloEvidence

    @property
    def rules(self) -> Rules:
        """The rules that were played."""
        return self.evidence.rules

    @cached_property
    def _rule_set(self) -> str:
        return EditionRules.of(self.rules).rule_set

    @property
    def modes(self) -> tuple[str, ...]:
        """The difficulties that were played, from easy to hard."""
        return self.evidence.modes

    def difficulty(self, mode: str) -> str:
        """A difficulty as a word: "easy"."""
        return DIFFICULTIES[mode]

    def label(self, mode: str) -> str:
        """A difficulty as a heading: "Solo, easy"."""
        return f"Solo, {DIFFICULTIES[mode]}"

    def labels(self, mode: str, **more: Label) -> dict[str, Label]:
        """The first columns of a stored row."""
        rules = self._rule_set
        return {"edition": SOLO_EDITION, "mode": mode, "rules": rules, "players": 1, **more}

    def rows(
        self, matchup: Matchup, estimates: Iterable[Estimate], name: str, **labels: Label
    ) -> list[Row]:
        """A row for every estimate; `name` is the column that says what each is about."""
        about = self.labels(matchup.mode, strategy=matchup.strategy, **labels)
        return [Row({**about, name: e.name}, e) for e in estimates]

    def rows_of_ranked(
        self,
        measured: Callable[[SoloSums, str, str], Estimates],
        name: str,
    ) -> list[Row]:
        """The rows of each matchup and side, from what measures sums, strategy and side."""
        return [
            row
            for matchup in self.of_ranked()
            for side in SIDES
            for row in self.rows(
                matchup,
                measured(self.evidence.matchups[matchup], matchup.strategy, side).estimates(),
                name,
                side=side,
            )
        ]

    def heading(self, row: Row) -> str:
        """The difficulty and strategy that a row is about."""
        return f"{self.difficulty(row['mode'])}: {row['strategy']}"

    @cached_property
    def win_rates(self) -> dict[Matchup, Estimate]:
        """The win rate of every matchup."""
        return {
            matchup: estimate_win_rate(sums, matchup.strategy)
            for matchup, sums in self.evidence.matchups.items()
        }

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The strategies from the strongest to the weakest, by mean win rate."""

        def mean(strategy: str) -> float:
            rates = [e.value or 0.0 for ln, e in self.win_rates.items() if ln.strategy == strategy]
            return sum(rates) / len(rates)

        return tuple(sorted(self.evidence.strategies, key=mean, reverse=True))

    @cached_property
    def made(self) -> tuple[str, ...]:
        """The strategies made for solo, which watch Bruno's columns, from the strongest on."""
        return tuple(name for name in self.ranked if (known := _known(name)) and known.solo)

    @cached_property
    def steering(self) -> tuple[str, ...]:
        """Those, and all that answer questions about Bruno themselves, from the strongest on."""
        return tuple(
            name
            for name in self.ranked
            if name in self.made
            or ((known := _known(name)) and any(q.startswith("bruno_") for q in known.functions))
        )

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The other strategies, from the strongest on."""
        return tuple(name for name in self.ranked if name not in self.steering)

    def of_ranked(self, strategies: tuple[str, ...] | None = None) -> list[Matchup]:
        """The matchups by difficulty and, within one, from the strongest strategy on."""
        matchups = [
            Matchup(mode, name) for mode in self.modes for name in strategies or self.ranked
        ]
        return [matchup for matchup in matchups if matchup in self.evidence.matchups]

    def limits(self) -> tuple[str, ...]:
        """What a careful reader of the solo part has to know, in sentences."""
        if not self.modes:
            return ()
        return (
            "A win rate against Bruno is that of the strategy, not of the game: a better player "
            "wins more often, and what Bruno's cards and leaders leave open is the player's "
            "choice, so his results are the player's doing too.",
            "Every solo game has a deal of its own, and all strategies play the same deals at each "
            "difficulty; differences between strategies are taken deal by deal.",
        )


def _known(name: str) -> Strategy | None:
    """The strategy of a matchup-up's entry, or None where this program does not have it."""
    try:
        return get_strategy(name.partition(":")[0])
    except StrategyError:
        return None
