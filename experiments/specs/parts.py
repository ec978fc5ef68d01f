"""The tables of a spec: designs of clan sets, line-ups and rule sets.

Each class is the model of one table, and checks what can be checked within this table. `checks`
makes checks that depend on the editions and player counts of the whole spec.
"""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ethnos_sim.experiments.designs.clan_sets import (
    ClanSet,
    balanced_sample,
    hexads,
    named_sets,
    optimal_fives,
    sets_with_clan,
)
from ethnos_sim.simulator.game.records import GIVES_UP, GIVES_UP_BY_AGE, ORDINARY
from ethnos_sim.simulator.rules import Rules, clan_key, edition_name, setting_texts
from ethnos_sim.simulator.utilities.errors import WrongInput, name_hint

STRICT_MODEL = ConfigDict(extra="forbid", frozen=True, strict=True)


def _printable_text(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has a character that cannot be printed")
    return text


def distinct_values(values: list[Any]) -> list[Any]:
    """The values; ValueError if one repeats another."""
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{value!r} is given twice")
    return values


#: A name as text that can be printed in a line.
Name = Annotated[str, AfterValidator(_printable_text)]

#: The number of clans in the sets of a stored design, by the word that names it in a spec.
STORED_SET_SIZES = {"hexads": 6, "d-optimal": 5}
_DESIGN_WORDS = ("all", *STORED_SET_SIZES)

#: The key of a clan; its name as files and pages print it is accepted too.
ClanKey = Annotated[str, AfterValidator(clan_key)]

#: A clan set that a spec lists.
ListedSet = Annotated[list[ClanKey], AfterValidator(distinct_values)]

#: An edition as specs name it: the name of a bundled edition, or a file.
EditionName = Annotated[str, AfterValidator(edition_name)]


class Design(BaseModel):
    """One way to choose clan sets: all, all with one clan, a sample, a stored list, given sets."""

    model_config = STRICT_MODEL
    every: bool = Field(default=False, alias="all")
    hexads: bool = False
    optimal: bool = Field(default=False, alias="d-optimal")
    sample: int | None = Field(default=None, ge=1)
    seed: int = Field(default=1, ge=0)
    given: Annotated[list[ListedSet], AfterValidator(distinct_values)] | None = Field(
        default=None, min_length=1
    )
    with_clan: ClanKey | None = Field(default=None, alias="with")

    @model_validator(mode="before")
    @classmethod
    def _accept_a_word(cls, value: Any) -> Any:
        """A table as it is, or the table for a word such as "all"."""
        if isinstance(value, str) and value in _DESIGN_WORDS:
            return {value: True}
        if not isinstance(value, dict):
            words = ", ".join(f'"{word}"' for word in _DESIGN_WORDS)
            hint = name_hint(value, _DESIGN_WORDS) if isinstance(value, str) else ""
            raise ValueError(f"has to be {words} or a table such as {{ sample = 20 }}{hint}")
        return value

    @property
    def design_keys(self) -> list[str]:
        """The keys in use that choose sets, such as `sample`; a valid design has exactly one."""
        fields = Design.model_fields.items()
        design_keys = {name: field.alias or name for name, field in fields if name != "seed"}
        return [
            kind for name, kind in design_keys.items() if getattr(self, name) not in (None, False)
        ]

    def sets_of_size(self, rules: Rules, size: int) -> list[ClanSet]:
        """The sets of `size` clans of an edition; listed sets keep their order.

        The clans of a set are in the order of their powers. So a design, and each deal, has the
        same powers in both editions, except for the one power that the other edition lacks.

        Raises:
            WrongInput: the design names a clan that the edition lacks, asks for more sets than
                there are, or has only sets of another size.
        """
        for kind in self.design_keys:
            if STORED_SET_SIZES.get(kind, size) != size:
                raise WrongInput(
                    f"'{kind}' has sets of {STORED_SET_SIZES[kind]} clans, and {size} play"
                )
        clans = sorted(rules.clans, key=rules.power_of)
        if self.sample is not None:
            return balanced_sample(clans, size, self.sample, self.seed)
        if self.with_clan is not None:
            return sets_with_clan(clans, size, self.with_clan)
        if self.given is not None:
            return [
                tuple(sorted(given, key=clans.index))
                for given in self.given
                if len(given) == size and set(given) <= set(clans)
            ]
        if self.hexads:
            return named_sets(clans, hexads())
        if self.optimal:
            return named_sets(clans, optimal_fives())
        return list(combinations(clans, size))


class ClanSetDesigns(Design):
    """The design of clan sets: one for all player counts, or one for five and one for six clans."""

    five: Design | None = None
    six: Design | None = None

    @model_validator(mode="after")
    def _check_one_kind(self) -> ClanSetDesigns:
        """Check that each design chooses its sets in exactly one way."""
        parts = [part for part in (self.five, self.six) if part is not None]
        if parts and self.design_keys:
            raise ValueError(f"'{self.design_keys[0]}' cannot stand beside 'five' or 'six'")
        for design in parts or [self]:
            if len(design.design_keys) != 1:
                words = "'all', 'hexads', 'd-optimal', 'sample', 'given' and 'with'"
                raise ValueError(f"needs exactly one of {words}")
            if "seed" in design.model_fields_set and design.sample is None:
                raise ValueError("seed decides nothing without 'sample'")
        return self

    @property
    def listed_sets(self) -> list[list[str]]:
        """The sets listed under `given`, in this table and in `five` and `six`."""
        designs = (self, self.five, self.six)
        return [clans for design in designs if design is not None for clans in design.given or ()]

    def design_for_size(self, size: int) -> Design:
        """The design for sets of `size` clans: `five` for up to five clans, `six` for more.

        Raises:
            WrongInput: the table `five` or `six` is missing.
        """
        if self.five is None and self.six is None:
            return self
        name, design = ("five", self.five) if size <= 5 else ("six", self.six)
        if design is None:
            raise WrongInput(f"'{name}' is missing: a player count needs {size} clans")
        return design


class SpecLineUp(BaseModel):
    """A line-up of a spec, for all player counts of the spec or for the counts in `players`.

    Line-ups with the same `named` are one population.

    With `gives_up`, the deal draws for each seat a clan that this seat may not lead. With `by_age`
    this holds only in one age, which the deal draws too. `weight` multiplies the number of games.
    """

    model_config = STRICT_MODEL
    strategies: list[str] = Field(min_length=1)
    players: list[int] | None = Field(default=None, min_length=1)
    gives_up: bool = False
    by_age: bool = False
    named: Name = Field(default="", max_length=60)
    weight: int = Field(default=1, ge=1, le=1000)

    @model_validator(mode="before")
    @classmethod
    def _accept_a_list(cls, value: Any) -> Any:
        if not isinstance(value, list | dict):
            raise ValueError("has to be a list of strategies, or a table with 'strategies'")
        return {"strategies": value} if isinstance(value, list) else value

    @model_validator(mode="after")
    def _check_by_age(self) -> SpecLineUp:
        if self.by_age and not self.gives_up:
            raise ValueError("by_age needs gives_up = true")
        return self

    @property
    def kind(self) -> str:
        """The kind of the line-up's games, one of KINDS."""
        if not self.gives_up:
            return ORDINARY
        return GIVES_UP_BY_AGE if self.by_age else GIVES_UP

    def is_for(self, players: int) -> bool:
        """Whether the line-up is played with this many players."""
        return self.players is None or players in self.players


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _as_settings(value: Any) -> Any:
    return setting_texts(value) if isinstance(value, dict) else value


class RuleSettings(BaseModel):
    """A rule set of a spec: variants, then changed values, which apply to each edition.

    Its `name` identifies it, and can be part of a folder's name.
    """

    model_config = STRICT_MODEL
    name: str = Field(default="", pattern=r"^[a-z0-9_-]*$", max_length=60)
    variants: Annotated[list[str], BeforeValidator(_as_list)] = Field(
        default_factory=list, alias="variant"
    )
    settings: Annotated[list[str], BeforeValidator(_as_settings)] = Field(
        default_factory=list, alias="set"
    )
