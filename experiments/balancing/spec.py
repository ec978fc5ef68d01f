"""The spec of a search for balance, read from TOML or put together by the command line.

Names in it are checked elsewhere: values by `space.make_space`, numbers by
`ethnos_sim.reports.balancing.numbers`, strategies when a line-up is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, field_validator

from ethnos_sim.experiments.balancing.space import Dimension, parse_levels
from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.specs.parts import (
    MOST_GAMES,
    STRICT,
    EditionName,
    Name,
    RuleSettings,
)
from ethnos_sim.experiments.specs.problems import validated
from ethnos_sim.experiments.specs.spec import with_files
from ethnos_sim.simulator.game.records import MAX_PLAYERS
from ethnos_sim.simulator.rules import Rules, load_rules
from ethnos_sim.simulator.tables.modes import MODES, SOLO, STANDARD
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.reading import read_toml

USUAL_COST = 0.05
"""The cost of a step away from the baseline, in squared margins: twenty steps cost as much as one
number that is one margin off its goal."""

USUAL_STRATEGIES = (STRONGEST,)
"""The strategies that play during the search."""

USUAL_VALIDATORS = ("champion", "greedy")
"""Further strategies for validations, each in all seats: a strong player of another kind, and a
simple player."""

USUAL_SEARCH_GAMES = 200_000

LEAST_GAMES = 10_000
"""The fewest games of a search, and of each validation."""


class WantedNumber(BaseModel):
    """A number to bring near to a goal, with the weight of its squared distance in margins."""

    model_config = STRICT
    number: str
    goal: float | None = Field(default=None, allow_inf_nan=False)
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)


class KeptNumber(BaseModel):
    """A number that has to stay near its value under the baseline.

    `margin` is the most that it may differ; None for the usual margin.
    """

    model_config = STRICT
    number: str
    margin: float | None = Field(default=None, gt=0, allow_inf_nan=False)


class BalanceSpec(RuleSettings):
    """The request for a search for balance. Made by `load_balance_spec` or `parse_balance_spec`."""

    model_config = STRICT
    name: Name = Field(default="balance", min_length=1, max_length=200)
    seed: int = Field(default=1, ge=0, lt=2**62)
    edition: EditionName = "second"
    mode: str = STANDARD
    players: int = Field(default=4, ge=2, le=MAX_PLAYERS)
    values: list[Dimension] = Field(default_factory=list)
    targets: list[WantedNumber] = Field(
        default_factory=lambda: [WantedNumber(number="clan-spread")], min_length=1
    )
    keep: list[KeptNumber] = Field(default_factory=list)
    cost: float = Field(default=USUAL_COST, ge=0, allow_inf_nan=False)
    strategies: list[str] = Field(default=list(USUAL_STRATEGIES), min_length=1)
    validators: list[str] = Field(default=list(USUAL_VALIDATORS))
    tuning_games: int = Field(default=100_000, ge=0, le=MOST_GAMES)
    search_games: int = Field(default=USUAL_SEARCH_GAMES, ge=LEAST_GAMES, le=MOST_GAMES)
    validation_games: int | None = Field(default=None, ge=LEAST_GAMES, le=MOST_GAMES)

    @field_validator("mode")
    @classmethod
    def _no_solo(cls, mode: str) -> str:
        if mode not in MODES or mode in SOLO:
            raise ValueError("has to be 'standard' or 'recruitment'")
        return mode

    @property
    def fresh_games(self) -> int:
        """Games on fresh deals for each validation: a third of the search's games unless given."""
        given = self.validation_games
        return max(LEAST_GAMES, self.search_games // 3) if given is None else given

    def rules(self) -> Rules:
        """The rules that the search begins with; RulesError for wrong names and values."""
        return load_rules(self.edition, self.variants, self.settings)


def moved_value(text: str) -> dict[str, Any]:
    """Parse a text that names a rule value to move; return its table, as a spec would have it.

    Texts: NAME, NAME[2], NAME=LOW..HIGH, NAME=LOW..HIGH:STEP, NAME=1,2,4.

    Raises:
        WrongInput: the text has none of these forms.
    """
    name, equals, written = text.partition("=")
    name, bracket, inside = name.strip().partition("[")
    levels = parse_levels(written) if equals else None
    element = inside.removesuffix("]")
    if not name or (equals and not levels) or (bracket and not element.isdecimal()):
        raise WrongInput(
            f"'{text}' names no value to move: write NAME, NAME=LOW..HIGH, NAME=LOW..HIGH:STEP or "
            "NAME=1,2,4, and NAME[0] for the first number of a list"
        )
    dimension: dict[str, Any] = {"name": name}
    if bracket:
        dimension["element"] = int(element)
    if levels:
        dimension["levels"] = list(levels)
    return dimension


def parse_balance_spec(raw: Mapping[str, Any], source: str) -> BalanceSpec:
    """A checked spec from a table as read from TOML.

    Raises:
        SpecError: the table is wrong; the error has a sentence for every fault.
    """
    return validated(BalanceSpec, raw, source)


def read_balance_spec(path: Path) -> dict[str, Any]:
    """The keys and values of a spec's file; relative paths are resolved beside the file.

    Raises:
        WrongInput: the file cannot be read or is not TOML.
    """
    return {"name": path.stem, **with_files(read_toml(path, "spec"), path.parent)}
