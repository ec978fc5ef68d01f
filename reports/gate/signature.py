"""Signatures: hashes of the whole-number tables of a small run with a fixed seed.

One for every edition, mode and player count. Each covers all strategies of the library, so it
changes when a rule, a strategy or the use of random numbers does, and it does not change when code
is renamed or reordered. A signature says that something changed, not how much; the balance baseline
says how much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.designs import balanced_sample
from ethnos_sim.experiments.tables import (
    GAME_COLUMNS,
    Columns,
    empty_columns,
    fill_games,
    fill_seats,
    seat_columns,
)
from ethnos_sim.reports.gate.log import Entry, log_tables, read_file, read_log, write_file
from ethnos_sim.simulator.batch import play_table
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.modes import MODES, SOLO, SOLO_CLANS, SOLO_EDITION
from ethnos_sim.simulator.records import MAX_PLAYERS
from ethnos_sim.simulator.rules import EDITIONS, Rules
from ethnos_sim.simulator.table import Table
from ethnos_sim.strategies import LineUp, list_strategies
from ethnos_sim.strategies.compiling import STRATEGIES_FOLDER

BUNDLED = Path(__file__).parent / "signatures.toml"
"""The signatures of this program with the printed rules."""

SEED = 20_170_801
DEALS = 6
"""Deals of each line-up, each in all its seatings and with a clan set of its own."""

SLOW = {"lookahead": "lookahead:parties=1:recruits=1:samples=1:rounds=1"}
"""Strategies whose usual settings would take long."""

HEADING = (
    "Signatures: the SHA-256 of the whole-number tables of a small run with a fixed seed, for each",
    "edition, mode and player count. `ethnos-sim check` recomputes them; a changed one fails until",
    '`ethnos-sim check --update --reason "..."` records it. Do not edit by hand.',
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """What one signature is of."""

    edition: str
    mode: str
    players: int

    @property
    def name(self) -> str:
        """As in "second standard 4"."""
        return f"{self.edition} {self.mode} {self.players}"


@dataclass(frozen=True, slots=True)
class Signatures:
    """Stored signatures by place, who played, and the log of why they are what they are."""

    strategies: tuple[str, ...]
    hashes: Mapping[str, str]
    log: tuple[Entry, ...]


def places(editions: Iterable[str] = EDITIONS, modes: Iterable[str] = MODES) -> tuple[Place, ...]:
    """Every place that makes a game: 2 to 6 players, and 1 in the solo modes."""
    wanted = tuple(modes)
    found = []
    for edition in editions:
        for mode in wanted:
            if mode not in SOLO:
                found += [Place(edition, mode, n) for n in range(2, MAX_PLAYERS + 1)]
            elif edition == SOLO_EDITION:
                found.append(Place(edition, mode, 1))
    return tuple(found)


def library_strategies() -> tuple[str, ...]:
    """The names of all strategies of the library, without those of plug-ins and of users."""
    library = STRATEGIES_FOLDER / "library"
    return tuple(
        strategy.name
        for strategy in list_strategies()
        if library in Path(strategy.functions["turn"].__code__.co_filename).parents
    )


def compute_signatures(
    wanted: Mapping[Place, Rules],
    strategies: Sequence[str],
    *,
    on_place: Callable[[int], None] = lambda done: None,
) -> dict[str, str]:
    """Play the small run of each place and hash its tables.

    Args:
        wanted: the places, each with the rules in force.
        strategies: names of the strategies that play; each plays at every place.
        on_place: called with 1 after each place.

    Returns:
        Sixty-four hex digits by name of the place.
    """
    found = {}
    for place, rules in wanted.items():
        digest = sha256()
        for columns in _tables(place, rules, strategies):
            _add(digest.update, columns)
        found[place.name] = digest.hexdigest()
        on_place(1)
    return found


def changed_signatures(stored: Mapping[str, str], computed: Mapping[str, str]) -> tuple[str, ...]:
    """The places whose signature differs from the stored one, or has none."""
    return tuple(name for name, value in computed.items() if stored.get(name) != value)


def read_signatures(path: Path) -> Signatures:
    """The stored signatures; WrongInput where the file is not one of them."""
    content = read_file(path, "signatures")
    try:
        return Signatures(
            tuple(content["strategies"]), dict(content["signatures"]), read_log(content)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise WrongInput(f"'{path}' holds no signatures") from error


def write_signatures(path: Path, signatures: Signatures) -> None:
    """Write signatures where they are stored; Failed where that cannot be done."""
    content = {
        "strategies": list(signatures.strategies),
        "signatures": dict(signatures.hashes),
        "log": log_tables(signatures.log),
    }
    write_file(path, HEADING, content)


def _tables(place: Place, rules: Rules, strategies: Sequence[str]) -> Iterable[Columns]:
    """The tables `games` and `seats` of each line-up of a place."""
    solo = place.mode in SOLO
    names = [_seated(name, rules) for name in strategies]
    for number, line_up in enumerate(_line_ups(names, place.players)):
        seats = LineUp.parse(line_up, place.players, rules).seats()
        sets = (
            [SOLO_CLANS] * DEALS
            if solo
            else balanced_sample(rules.clans, rules.clans_in_play(place.players), DEALS, number)
        )
        for deal, clans in enumerate(sets):
            table = Table.prepare(rules, place.players, place.mode, clans, seats)
            batch = play_table(table, seed=SEED, first_deal=number * DEALS + deal, deals=1)
            games = empty_columns(GAME_COLUMNS, batch.games.size)
            rows = empty_columns(seat_columns(rules, solo=solo), batch.seats.size)
            fill_games(games, 0, number, batch.games)
            fill_seats(rows, 0, number, batch.games, batch.seats, rules)
            yield games
            yield rows


def _line_ups(names: Sequence[str], players: int) -> list[list[str]]:
    """Every name once, `players` at a table; the last table is filled up from the first names."""
    padded = [*names, *names[: -len(names) % players]]
    return [padded[first : first + players] for first in range(0, len(padded), players)]


def _seated(name: str, rules: Rules) -> str:
    """A strategy as it sits at a table of the small run."""
    if name == "specialist":
        return f"specialist:clan={rules.clans[0]}"
    return SLOW.get(name, name)


def _add(update: Callable[[bytes], None], columns: Columns) -> None:
    """Hash columns with their names; 64-bit little-endian, whatever type they are stored in."""
    for name, values in columns.items():
        update(name.encode())
        update(np.ascontiguousarray(values, dtype="<i8").tobytes())
