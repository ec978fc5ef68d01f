"""The folder of a search: what is searched, and a file for every evaluation that was played.

A search is a function of its spec and of what was measured, so whoever begins it again in its
folder is handed the evaluations that are there, and plays on from the first that is not.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.balancing.search import Measured, Player
from ethnos_sim.experiments.balancing.space import Point, Space
from ethnos_sim.experiments.balancing.spec import BalanceSpec
from ethnos_sim.experiments.plans.sources import kernel_source, strategy_sources
from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.jackknife import of_blocks
from ethnos_sim.experiments.storage.files import write_whole
from ethnos_sim.reports.balancing.numbers import Numbers
from ethnos_sim.simulator.errors import Failed, WrongInput
from ethnos_sim.simulator.reading import read_file

SPEC_FILE = "balance.json"


def open_folder(folder: Path, spec: BalanceSpec, space: Space, kind: str = "search") -> None:
    """Begin a search in a folder, or go on with the one that is there.

    Raises:
        WrongInput: the folder holds another search, or something else.
        Failed: it cannot be written.
    """
    strategies = sorted({*spec.strategies, *spec.validators})
    identity = {
        "kind": kind,
        "values": [factor.label for factor in space.factors],
        "spec": spec.model_dump(mode="json", by_alias=True),
        "rules": space.base.rules_id,
        "kernel": kernel_source(),
        "strategies": strategy_sources(strategies),
    }
    stored = stored_identity(folder)
    if stored is None:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongInput(f"'{folder}' holds something else; choose another folder with --out")
        text = json.dumps(identity, indent=1, sort_keys=True)
        write_whole(folder / SPEC_FILE, text.encode())
    elif stored != identity:
        raise WrongInput(
            f"'{folder}' holds a search that differs in {_differing(stored, identity)}; choose "
            "another folder with --out, or ask for the same"
        )


def stored_identity(folder: Path) -> dict[str, Any] | None:
    """What a folder's search is, as written when it began; None where there is none."""
    try:
        found = json.loads(read_file(folder / SPEC_FILE))
    except OSError:
        return None
    except ValueError as error:
        raise WrongInput(f"'{folder / SPEC_FILE}' cannot be read: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        raise WrongInput(f"'{folder / SPEC_FILE}' is of no search")
    return found


def _differing(stored: dict[str, Any], asked: dict[str, Any]) -> str:
    """In what two searches differ, in words."""
    spec = [key for key, value in asked["spec"].items() if stored["spec"].get(key) != value]
    other = [key for key, value in asked.items() if key != "spec" and stored.get(key) != value]
    return ", ".join([*spec, *other]) or "nothing that this version knows"


@dataclass(frozen=True)
class Journal:
    """A player that keeps what it played in a folder, and plays nothing twice."""

    folder: Path
    player: Player
    numbers: Numbers

    @property
    def games_per_round(self) -> int:
        """The fewest games that a rule set can play."""
        return self.player.games_per_round

    def play(self, number: int, points: Sequence[Point], rounds: Sequence[range]) -> list[Measured]:
        """Play an evaluation, or read it where it was played; Failed where its file is broken."""
        path = self.folder / "evaluations" / f"{number:04d}.parquet"
        if path.exists():
            return self._read(path, points, rounds)
        played = self.player.play(number, points, rounds)
        rows = [
            {
                "evaluation": number,
                "point": list(point),
                "first_round": own.start,
                "rounds": len(own),
                "games": measured.games,
                "number": label,
                "value": float(measured.numbers.value[place]),
                "standard_error": float(measured.numbers.standard_error[place]),
                "pseudo_values": measured.numbers.pseudo[:, place].tolist(),
                "leverage": measured.numbers.leverage[:, place].tolist(),
            }
            for point, own, measured in zip(points, rounds, played, strict=True)
            for place, label in enumerate(self.numbers.labels)
        ]
        opened = io.BytesIO()
        pl.DataFrame(rows).write_parquet(opened)
        write_whole(path, opened.getvalue())
        return played

    def _read(self, path: Path, points: Sequence[Point], rounds: Sequence[range]) -> list[Measured]:
        """An evaluation as it was played."""
        try:
            frame = pl.read_parquet(path)
            parts = frame.partition_by("point", "first_round", maintain_order=True)
            told = [(tuple(each["point"][0]), each["first_round"][0]) for each in parts]
            asked = [(point, own.start) for point, own in zip(points, rounds, strict=True)]
            if told != asked:
                raise Failed(f"'{path}' is of another search; remove it and go on")
            return [_measured(part) for part in parts]
        except (pl.exceptions.PolarsError, OSError) as error:
            raise Failed(f"'{path}' cannot be read; remove it and go on: {error}") from error


def _measured(part: pl.DataFrame) -> Measured:
    """What the rows of a point say."""
    pseudo = np.asarray(part["pseudo_values"].to_list()).T
    leverage = np.asarray(part["leverage"][0].to_list())
    numbers = of_blocks(
        part["value"].to_numpy(), pseudo, leverage[:, None], unit="", games=MIN_EVENTS
    )
    return Measured(numbers, part["games"][0])
