"""plan.json: the text of a plan, as models that say what each value may be.

A plan is read only as this program wrote it: every name is checked before it becomes a part of a
path, the games are those of its `plan_id`, and `sha256` covers all the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from ethnos_sim.experiments.plans.cells import Cell, Partition
from ethnos_sim.experiments.plans.plan import FORMAT, EditionRules, Plan, canonical, rules_key
from ethnos_sim.experiments.plans.schedule import Schedule
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.records import MAX_PLAYERS
from ethnos_sim.simulator.rules import know_edition

#: What may be a part of a folder's name.
Name = Annotated[str, Field(pattern=r"^[a-z0-9_-]+$", max_length=60)]
ShortText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$", max_length=1000)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
Some = Annotated[int, Field(ge=1, lt=2**63)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]+$", max_length=64)]


class Stored(BaseModel):
    """What stands in a sweep's folder as JSON: exactly these keys, of exactly these types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Partition(Stored):
    edition: Name
    mode: Name
    players: Annotated[int, Field(ge=1, le=MAX_PLAYERS)]
    rules: Name | Literal[""]


class _ClanSet(Stored):
    number: Count
    clans: tuple[Name, ...]


class _LineUp(Stored):
    strategies: tuple[ShortText, ...]
    rotations: Some
    population: ShortText
    weight: Some


class _Cells(Stored):
    """What cells share, once, and for each cell the places of its own in those lists."""

    partitions: list[_Partition]
    clan_sets: list[_ClanSet]
    line_ups: list[_LineUp]
    partition: list[Count]
    clan_set: list[Count]
    line_up: list[Count]

    def cells(self) -> tuple[Cell, ...]:
        """The cells; ValueError where a number names nothing, or a line-up has other seats."""
        partitions = [Partition(**each.model_dump()) for each in self.partitions]
        for line_up in self.line_ups:
            if len(line_up.strategies) % line_up.rotations:
                raise ValueError("a line-up has impossible rotations")
        columns = zip(self.partition, self.clan_set, self.line_up, strict=True)
        try:
            cells = tuple(
                Cell(
                    number,
                    partitions[partition],
                    self.clan_sets[clan_set].number,
                    self.clan_sets[clan_set].clans,
                    self.line_ups[line_up].strategies,
                    self.line_ups[line_up].rotations,
                    self.line_ups[line_up].population,
                    self.line_ups[line_up].weight,
                )
                for number, (partition, clan_set, line_up) in enumerate(columns)
            )
        except IndexError as error:
            raise ValueError("a cell names what is not there") from error
        if not cells or any(len(cell.line_up) != cell.partition.players for cell in cells):
            raise ValueError("a cell has another line-up than its players")
        return cells


class _Identity(Stored):
    format: Literal[FORMAT]  # type: ignore[valid-type]
    seed: Count
    kernel: Digest
    rules: dict[str, dict[str, JsonValue]]
    rules_ids: dict[str, Digest]
    editions: dict[Name, dict[str, JsonValue] | None]
    strategies: dict[ShortText, Digest]
    cells: _Cells


class _Edition(Stored):
    edition: Name
    rules: Name | Literal[""]
    title: ShortText
    assumed: tuple[str, ...]
    changed: tuple[str, ...]


#: What stands there by the names that a plan has for it.
_TOLD = ("edition", "title", "assumed", "changed")


class _Schedule(Stored):
    estimate: Name
    half_width: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    per: Name
    looks: dict[str, Annotated[tuple[Some, ...], Field(min_length=1)]]


class _PlanFile(Stored):
    name: ShortText
    plan_id: Digest
    version: ShortText
    identity: _Identity
    editions: list[_Edition]
    rounds: dict[str, Some]
    shard_games: dict[str, Some]
    schedule: _Schedule | None
    sensitivity: bool
    sha256: Digest


def plan_text(plan: Plan) -> str:
    """The plan as the text of plan.json: canonical JSON, one line."""
    schedule = plan.schedule
    content = {
        "name": plan.name,
        "plan_id": plan.plan_id,
        "version": plan.version,
        "identity": plan.identity,
        "editions": [
            {"rules": rules.name, **{name: getattr(rules, name) for name in _TOLD}}
            for rules in plan.editions
        ],
        "rounds": _by_path(plan.rounds),
        "shard_games": _by_path(plan.shard_games),
        "schedule": schedule
        and {
            "estimate": schedule.estimate,
            "half_width": schedule.half_width,
            "per": schedule.scope,
            "looks": _by_path(schedule.looks),
        },
        "sensitivity": plan.sensitivity,
    }
    digest = sha256(canonical(content).encode()).hexdigest()
    return canonical({**content, "sha256": digest}) + "\n"


def read_plan(text: str) -> Plan:
    """The plan in the text of a plan.json.

    Raises:
        WrongInput: the text is no plan of this format, or it was changed since it was written.
    """
    try:
        stored = _PlanFile.model_validate_json(text)
        plan = _plan(stored)
    except ValidationError as error:
        raise WrongInput(_sentence(error)) from error
    except (ValueError, KeyError) as error:
        raise WrongInput(f"it is no plan of a sweep: {error}") from error
    if plan.plan_id != stored.plan_id:
        raise WrongInput("it was changed: its games are not those of its plan_id")
    if plan_text(plan) != text:
        raise WrongInput("it was changed since it was written: its SHA-256 differs")
    return plan


def _plan(stored: _PlanFile) -> Plan:
    identity = stored.identity
    cells = identity.cells.cells()
    partitions = {cell.partition.path: cell.partition for cell in cells}
    if stored.rounds.keys() != partitions.keys():
        raise ValueError("its rounds are not those of its partitions")

    def by_partition(values: Mapping[str, Any]) -> dict[Partition, Any]:
        return {partitions[path]: value for path, value in values.items()}

    for edition, table in identity.editions.items():
        know_edition(edition, table)
    played = {rules_key(cell.partition.edition, cell.partition.rules) for cell in cells}
    told = [rules_key(about.edition, about.rules) for about in stored.editions]
    if not played == set(told) == identity.rules.keys() or len(told) != len(played):
        raise ValueError("its rules are not those of its cells")
    if not {name for cell in cells for name in cell.line_up} == identity.strategies.keys():
        raise ValueError("its strategies are not those of its cells")
    schedule = stored.schedule
    return Plan(
        name=stored.name,
        seed=identity.seed,
        version=stored.version,
        kernel=identity.kernel,
        editions=tuple(
            EditionRules(
                rules_id=identity.rules_ids[key],
                table=identity.editions[about.edition],
                values=identity.rules[key],
                name=about.rules,
                **{name: getattr(about, name) for name in _TOLD},
            )
            for about, key in zip(stored.editions, told, strict=True)
        ),
        strategies=identity.strategies,
        cells=cells,
        rounds=by_partition(stored.rounds),
        sensitivity=stored.sensitivity,
        shard_games=by_partition(stored.shard_games),
        schedule=None
        if schedule is None
        else Schedule(
            schedule.estimate, schedule.half_width, schedule.per, by_partition(schedule.looks)
        ),
    )


def _by_path(values: Mapping[Partition, Any]) -> dict[str, Any]:
    return {partition.path: value for partition, value in values.items()}


def _sentence(error: ValidationError) -> str:
    """What is wrong with a plan's text; of several mistakes the first."""
    found = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, found["loc"]))
    if where == "identity.format":
        return f"it has format {str(found['input'])[:20]}; this program reads {FORMAT}"
    return "it is no plan of a sweep" + (f": {where}: {found['msg'].lower()}" if where else "")
