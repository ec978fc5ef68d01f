"""Integer sums of the games against Chief Bruno: one strategy at one difficulty each.

Every game has a deal of its own, and all strategies of a difficulty play the same deals, so each
keeps sums by block of deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from ethnos_sim.experiments.storage.tables import block_of_deal, fired_column, led_column
from ethnos_sim.reports.evidence.sums import SOURCES, Sums, by_block, total
from ethnos_sim.simulator.modes import SOLO_CLANS
from ethnos_sim.simulator.records import BRUNO
from ethnos_sim.simulator.rules import Rules

DRAWN = ("drawn_1", "drawn_2")
"""Cards that left the deck, age by age."""

PLAYER = 0

SIDES = ("player", "bruno")
"""Both sides by their seat."""


def solo_by_cell(games: pl.DataFrame, seats: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Sum the rows of finished games: a row a cell and block of deals with all of `solo_sums`."""
    keys = ["cell", "game", "deal"]
    player, bruno = (seats.filter(pl.col("seat") == seat) for seat in (PLAYER, BRUNO))
    both = player.join(bruno, on=keys, suffix="_bruno", validate="1:1")
    about = pl.col("cell").cast(pl.Int64), block_of_deal().cast(pl.Int64)
    names = [name for columns in _columns_by_array(rules).values() for name in columns]
    return (
        both.group_by(about)
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            total("won"),
            *(total(_side(name, side)) for name in names for side in SIDES),
        )
        .join(games.group_by(about).agg(map(total, DRAWN)), on=["cell", "block"], validate="1:1")
    )


def solo_sums(
    rows: pl.DataFrame, strategies: Mapping[int, str], rules: Rules
) -> Iterator[tuple[str, Sums]]:
    """The sums of every strategy that has games.

    Args:
        rows: what `solo_by_cell` or `sums.added` returned.
        strategies: the strategy of each cell by number.
        rules: what was played by.

    Yields:
        A strategy and its sums, whose arrays are games; won (the player's, in sixtieths); drawn,
        (ages,), cards that left the deck; and with the axis of SIDES: parties; source, (sources,);
        led, (solo clans,); columns, (colors,), how often each column was played (the player's
        are 0).
    """
    for cell, strategy in strategies.items():
        own = rows.filter(cell=cell)
        if own.is_empty():
            continue
        values = {name: own[name].to_numpy() for name in ("games", "won")}
        values["drawn"] = own.select(DRAWN).to_numpy()
        for name, columns in _columns_by_array(rules).items():
            sides = [own.select(_side(column, side) for column in columns) for side in SIDES]
            values[name] = np.stack([side.to_numpy() for side in sides], axis=1)
        values["parties"] = values["parties"][..., 0]
        yield strategy, Sums(SOLO_CLANS, 1, by_block(own, values))


def _side(name: str, side: str) -> str:
    """The column of a side in a row of both."""
    return f"{name}_bruno" if side == "bruno" else name


def _columns_by_array(rules: Rules) -> dict[str, list[str]]:
    """The stored columns behind each array that has the axis of SIDES."""
    return {
        "parties": ["parties"],
        "source": list(SOURCES),
        "led": [led_column(clan) for clan in SOLO_CLANS],
        "columns": [fired_column(color) for color in rules.colors],
    }
