"""The options of studies and of `table`: at which table, and by which seed.

What a study finds is kept as data, together with the command that finds it again.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ethnos_sim.commands.game_options import (
    LUCK_AND_RULES_OPTIONS,
    TABLE_OPTIONS,
    take_options,
)

if TYPE_CHECKING:
    from ethnos_sim.simulator.rules import Rules


@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """Where a study plays, as given on the command line."""

    edition: str
    players: int | None
    mode: str
    seed: int
    settings: Sequence[str]
    variants: Sequence[str]
    strategy_files: Sequence[Path]

    @property
    def seats(self) -> int:
        """Players at a table: as asked for, or 1 in solo and 4 elsewhere."""
        if self.players is not None:
            return self.players
        return 1 if self.mode.startswith("solo") else 4

    def rules(self) -> Rules:
        """The rules asked for; WrongInput otherwise."""
        from ethnos_sim.simulator.rules import load_rules

        return load_rules(self.edition, self.variants, self.settings)

    def command(self, name: str, *words: str) -> str:
        """The command line that does the same again: its name, its own words, these options."""
        own = ["--edition", self.edition, "--players", str(self.seats), "--seed", str(self.seed)]
        if self.mode != "standard":
            own += ["--mode", self.mode]
        for variant in self.variants:
            own += ["--variant", variant]
        for setting in self.settings:
            own += ["--set", setting]
        for path in self.strategy_files:
            own += ["--strategies-from", str(path)]
        return shlex.join(["ethnos-sim", "strategies", name, *words, *own])


def study_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the study options, as its first argument."""
    return take_options(function, StudyOptions, TABLE_OPTIONS + LUCK_AND_RULES_OPTIONS)
