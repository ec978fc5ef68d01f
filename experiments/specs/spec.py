"""The spec of a sweep, read from TOML and checked as a whole.

A spec names editions, modes, player counts, designs of clan sets, line-ups and rule sets. A sweep
plays every combination of them. `docs/specs.md` shows every key. `experiments.plans` turns a spec
into a plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from ethnos_sim.experiments.defaults import MOST_GAMES
from ethnos_sim.experiments.specs.checks import (
    check_clan_sets,
    check_line_ups,
    check_modes,
    check_rule_sets,
)
from ethnos_sim.experiments.specs.parts import (
    STRICT_MODEL,
    ClanSetDesigns,
    EditionName,
    Name,
    RuleSettings,
    SpecLineUp,
    distinct_values,
)
from ethnos_sim.simulator.game.records import MAX_PLAYERS
from ethnos_sim.simulator.rules import (
    Rules,
    load_rules,
    power_path,
    rules_by_edition,
    setting_texts,
)
from ethnos_sim.simulator.tables.modes import STANDARD, check_mode
from ethnos_sim.simulator.utilities.errors import SpecError, WrongInput, name_hint
from ethnos_sim.simulator.utilities.reading import check_table_size, read_toml

_BUNDLED = Path(__file__).parent / "bundled"

#: The bundled spec that `ethnos-sim sweep` plays when no spec is named.
DEFAULT_SPEC = "clan-win-rates"


def _check_player_count(players: int) -> int:
    if not 1 <= players <= MAX_PLAYERS:
        raise ValueError(f"{players} players were asked for; Ethnos takes 1 to {MAX_PLAYERS}")
    return players


Mode = Annotated[str, AfterValidator(check_mode)]
PlayerCount = Annotated[int, AfterValidator(_check_player_count)]
DISTINCT = AfterValidator(distinct_values)


class Spec(BaseModel):
    """The request for a sweep. Made by `load_spec` or `parse_spec`."""

    model_config = STRICT_MODEL
    name: Name = Field(min_length=1, max_length=200)
    seed: int = Field(default=1, ge=0, lt=2**63)
    games: int | None = Field(default=None, ge=1, le=MOST_GAMES)
    games_per_cell: int | None = Field(default=None, ge=1, le=MOST_GAMES)
    quick_games: int | None = Field(default=None, ge=1, le=MOST_GAMES)
    editions: Annotated[list[EditionName], DISTINCT] = Field(default=["second"], min_length=1)
    modes: Annotated[list[Mode], DISTINCT] = Field(default=[STANDARD], min_length=1)
    players: Annotated[list[PlayerCount], DISTINCT] = Field(min_length=1)
    sensitivity: bool = False
    rules: list[RuleSettings] = Field(
        default_factory=lambda: [RuleSettings()], min_length=1, validate_default=True
    )
    clan_sets: ClanSetDesigns | None = Field(default=None, validate_default=True)
    line_ups: list[SpecLineUp] = Field(min_length=1)

    @field_validator("players")
    @classmethod
    def _check_modes(cls, players: list[int], info: ValidationInfo) -> list[int]:
        if {"editions", "modes"} <= info.data.keys():
            check_modes(info.data["editions"], info.data["modes"], players)
        return players

    @field_validator("rules", mode="before")
    @classmethod
    def _as_rule_list(cls, value: Any) -> Any:
        if not isinstance(value, list | dict):
            raise ValueError("has to be a table [rules], or several [[rules]]")
        return [value] if isinstance(value, dict) else value

    @field_validator("rules")
    @classmethod
    def _check_rules(cls, rules: list[RuleSettings], info: ValidationInfo) -> list[RuleSettings]:
        if "editions" in info.data:
            check_rule_sets(rules, info.data["editions"])
        return rules

    @field_validator("clan_sets")
    @classmethod
    def _check_clan_sets(
        cls, clan_sets: ClanSetDesigns | None, info: ValidationInfo
    ) -> ClanSetDesigns | None:
        """The designs, checked with the rules of all rule sets and editions."""
        if {"editions", "players", "rules"} <= info.data.keys():
            editions = [
                rules
                for asked in info.data["rules"]
                for rules in rules_by_edition(
                    info.data["editions"], asked.settings, asked.variants
                ).values()
            ]
            check_clan_sets(clan_sets, editions, info.data["players"])
        return clan_sets

    @field_validator("line_ups")
    @classmethod
    def _check_line_ups(cls, line_ups: list[SpecLineUp], info: ValidationInfo) -> list[SpecLineUp]:
        editions = [load_rules(edition) for edition in info.data.get("editions", [])]
        check_line_ups(line_ups, editions, info.data.get("players", []))
        return line_ups

    @model_validator(mode="after")
    def _check_extent(self) -> Spec:
        if (self.games is None) == (self.games_per_cell is None):
            raise ValueError("needs either 'games' (in total) or 'games_per_cell'")
        return self

    def rule_sets(self) -> dict[str, dict[str, Rules]]:
        """The rules by name of the rule set and edition; a single rule set may have an empty name.

        A changed value that an edition lacks changes only the other editions.
        """
        return {
            asked.name: rules_by_edition(self.editions, asked.settings, asked.variants)
            for asked in self.rules
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecChanges:
    """Changes of a spec by the command line: the number of games, the seed and the rules.

    `quick` plays the spec's `quick_games`. `settings` are NAME=VALUE texts that follow the settings
    of the spec and thus win over them. All other changes replace values of the spec.
    """

    games: int | None = None
    quick: bool = False
    seed: int | None = None
    settings: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()

    def apply(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The keys and values of a spec after the changes."""
        content = dict(raw)
        games = content.get("quick_games") if self.quick else self.games
        if games is not None:
            content.pop("games_per_cell", None)
            content["games"] = games
        if self.seed is not None:
            content["seed"] = self.seed
        rules = content.get("rules", {})
        if self.settings or self.variants:
            if isinstance(rules, list):
                content["rules"] = [self._changed_rule_set(rule_set) for rule_set in rules]
            else:
                content["rules"] = self._changed_rule_set(rules)
        return content

    def _changed_rule_set(self, rules: Any) -> Any:
        """A rule set after the changes; if it is no table, it stays, and a check refuses it."""
        if not isinstance(rules, Mapping):
            return rules
        changed = dict(rules)
        given = changed.get("set", {})
        if isinstance(given, Mapping | list):
            changed["set"] = [*setting_texts(given), *self.settings]
        if self.variants:
            changed["variant"] = list(self.variants)
        return changed


NO_CHANGES = SpecChanges()


def parse_spec(raw: Mapping[str, Any], source: str, changes: SpecChanges = NO_CHANGES) -> Spec:
    """A checked spec from a table as read from TOML.

    Args:
        raw: the spec's keys and values.
        source: the file's path; errors begin with it, and its stem names a spec without `name`.
        changes: changes to make before the spec is checked.

    Raises:
        SpecError: the spec is wrong; the error has a sentence for every problem.
    """
    named = changes.apply({"name": Path(source).stem, **raw})
    if changes.quick and "quick_games" not in named:
        raise SpecError(source, ["quick_games: is missing: the number of games of a quick sweep"])
    try:
        check_table_size(named)
        return Spec.model_validate(named)
    except ValidationError as error:
        raise SpecError(source, [*map(_error_sentence, error.errors(include_url=False))]) from error
    except ValueError as error:
        raise SpecError(source, [str(error)]) from error


def _error_sentence(error: ErrorDetails) -> str:
    """The path of a key in the spec, and what is wrong with its value."""
    kind, said, given = error["type"], error["msg"], error["input"]
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error["loc"])
    if kind == "extra_forbidden":
        said = f"there is no such key{name_hint(str(error['loc'][-1]), _known_keys())}"
    elif kind == "missing":
        said = "is missing"
    elif kind == "value_error":
        said = str(error["ctx"]["error"])
    elif isinstance(given, str | int | float | bool):
        said = f"{said[0].lower()}{said[1:]}, not {given!r}"
    return f"{path.lstrip('.') or 'spec'}: {said}"


def _known_keys() -> list[str]:
    """All keys of specs and of their tables."""
    schema = Spec.model_json_schema()
    return [key for part in (schema, *schema["$defs"].values()) for key in part["properties"]]


def load_spec(
    path: str | PathLike[str] | Mapping[str, Any] | Spec, changes: SpecChanges = NO_CHANGES
) -> Spec:
    """A checked spec from a TOML file, which may name editions and variants by file.

    Args:
        path: a TOML file, its content as a table, or a Spec, which is checked again; or, if there
            is no file of this name, the name of one of `bundled_specs`.
        changes: what to change before the spec is checked.

    Raises:
        SpecError: the spec is wrong; the error has a sentence for every problem.
        WrongInput: the file cannot be read or is not TOML.

    Example:
        >>> from ethnos_sim import load_spec
        >>> load_spec("seats").editions
        ['second', 'first']
        >>> table = {"players": [4], "games": 2000, "line_ups": [{"strategies": ["greedy"]}]}
        >>> load_spec(table | {"name": "mine", "clan_sets": {"sample": 6}}).name
        'mine'
    """
    if isinstance(path, Spec):
        path = path.model_dump(exclude_unset=True)
    if isinstance(path, Mapping):
        return parse_spec(path, "spec", changes)
    path = Path(path)
    if not path.suffix and path == Path(path.name) and not path.is_file():
        path = bundled_path(path.name)
    raw = read_toml(path, "spec")
    return parse_spec(with_paths(raw, path.parent), str(path), changes)


def with_paths(raw: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A spec as read from TOML, with file names replaced by paths of files in its folder.

    Args:
        raw: the spec's keys and values, which are not changed.
        folder: the spec's folder.
    """

    def resolved(value: Any, key: str) -> Any:
        """A value of the spec under a key, with the file names in it replaced."""
        if isinstance(value, Mapping):
            return {
                name: resolved(item, key if key == "set" else name) for name, item in value.items()
            }
        if isinstance(value, list):
            return [resolved(item, key) for item in value]
        if key == "set" and isinstance(value, str) and ".py:" in value:
            name, equals, power = value.rpartition("=")
            file, _, power_name = power_path(folder / "spec", power.strip(" \"'")).rpartition(":")
            return f"{name}{equals}{file}:{power_name}"
        if key == "variant" and isinstance(value, str):
            return str(folder / value) if (folder / value).is_file() else value
        return value

    return {key: resolved(value, key) for key, value in raw.items()}


def bundled_specs() -> tuple[str, ...]:
    """The names of the specs that come with the package."""
    return tuple(sorted(path.stem for path in _BUNDLED.glob("*.toml")))


def bundled_path(name: str) -> Path:
    """The file of a spec that comes with the package; WrongInput if no spec has this name."""
    if name not in bundled_specs():
        hint = name_hint(name, bundled_specs())
        raise WrongInput(f"there is no spec '{name}', neither a file nor bundled{hint}")
    return _BUNDLED / f"{name}.toml"
