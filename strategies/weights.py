"""Weight arrays from files, for strategies that compute with learned numbers.

A strategy declared with `@strategy(..., weights="mine.npz")` gets the numbers of that file as
`weights`: a flat, read-only float32 array, or an int16 array if the strategy's `quantise` makes one
of it. The file lies in `strategies/weights/` for this package's strategies, and beside the
strategy's file for others; `name:weights=FILE` in a line-up names another file. An `.npz` holds
arrays by name, of which `nearest_fit` chooses one.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from ethnos_sim.simulator.game.limits import MAX_PLAYERS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.simulator.utilities.reading import arrays_of_npz, cached_until_changed, read_file
from ethnos_sim.strategies.api import Strategy

if TYPE_CHECKING:
    from ethnos_sim.strategies.api import Quantise

T = TypeVar("T")

#: The name of an array for every edition and number of players.
FOR_ALL = "any"

#: Bytes of a cache line.
LINE = 64

#: The type of weights as a file stores them.
ARRAY = types.Array(types.float32, 1, "C", readonly=True)

#: The type of weights after quantising.
WHOLE_ARRAY = types.Array(types.int16, 1, "C", readonly=True)


def array_behind(context: Any, builder: Any, kind: Any, address: Any, size: Any) -> Any:
    """The LLVM value of a flat array of `size` numbers at an address."""
    array = context.make_array(kind)(context, builder)
    width = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    populate_array(
        array,
        data=address,
        shape=cgutils.pack_array(builder, [size]),
        strides=cgutils.pack_array(builder, [width]),
        itemsize=width,
        meminfo=None,
    )
    return array._getvalue()


def _numbers_at(kind: Any) -> Any:
    """An intrinsic that makes an array over the numbers at an address."""

    @intrinsic
    def make(typing_context: Any, address: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = context.get_data_type(kind.dtype).as_pointer()
            first = builder.inttoptr(arguments[0], pointer)
            return array_behind(context, builder, kind, first, arguments[1])

        return kind(types.int64, types.int64), generate

    return make


#: Make an array over the numbers at an address that a private record has: the strategy's weights,
#: its quantised weights, or a writable log.
weights_at = _numbers_at(ARRAY)
whole_weights_at = _numbers_at(WHOLE_ARRAY)
log_at = _numbers_at(types.Array(types.float32, 1, "C"))


def weights_file(strategy: Strategy, given: str | None = None) -> Path | None:
    """The file of a strategy's weights, which is `given` if set; None if it uses no weights."""
    if given is not None:
        return Path(given).expanduser()
    if strategy.weights is None:
        return None
    return strategy.file("weights", strategy.weights)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file of weights, by name, flat and float32.

    Raises:
        StrategyError: the file cannot be read, or holds anything but finite numbers.
    """
    return dict(read_data("weights", path, _arrays))


def read_data(what: str, path: Path, read: Callable[[Path], T]) -> T:
    """The content of a strategy's data file, decoded by `read`; StrategyError if it is wrong."""
    try:
        return read(path)
    except OSError as error:
        raise StrategyError(f"{what} '{path}': {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise StrategyError(f"'{path}' holds no {what} ({error})") from error


@cached_until_changed
def _arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays in a file, checked."""
    arrays = arrays_of_npz(read_file(path))
    return {name: _flat(name, array) for name, array in arrays.items()}


def _flat(name: str, array: np.ndarray) -> np.ndarray:
    """The array that strategies are given; ValueError if it has anything but finite numbers."""
    if array.dtype.kind not in "fiu":
        raise ValueError(f"array '{name}' has no numbers")
    flat = aligned(np.ascontiguousarray(array, np.float32).ravel())
    if not np.isfinite(flat).all():
        raise ValueError(f"array '{name}' has numbers that are not finite")
    flat.flags.writeable = False
    return flat


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy of a flat array that begins at a cache line."""
    room = np.empty(array.size + LINE // array.itemsize, array.dtype)
    first = -room.ctypes.data % LINE // array.itemsize
    copy = room[first : first + array.size]
    copy[:] = array
    return copy


def nearest_fit(names: Collection[str], edition: str, players: int) -> str | None:
    """The name of the numbers that fit an edition and a number of players best.

    These names are preferred in this order: `EDITION-PLAYERS` (`second-4`), `EDITION` (`second`),
    `any`, and `EDITION-PLAYERS` of the nearest number of players, of two that are equally near the
    smaller. None if no name fits.
    """
    by_distance = sorted(range(1, MAX_PLAYERS + 1), key=lambda number: abs(number - players))
    exact, *others = [f"{edition}-{number}" for number in by_distance]
    wanted = [exact, edition, FOR_ALL, *others]
    return next((name for name in wanted if name in names), None)


def weights_of(
    strategy: Strategy, rules: Rules, players: int, given: str | None = None
) -> np.ndarray | None:
    """The weights for these rules and players (float32, flat); None if a strategy uses no weights.

    Args:
        strategy: the strategy.
        rules: the rules in force; only their edition counts.
        players: how many sit at the table.
        given: a file to use instead of the declared file.

    Raises:
        StrategyError: the file is wrong, or has no array that fits, or the array's size is wrong.
    """
    path = weights_file(strategy, given)
    if path is None:
        return None
    arrays = read_arrays(path)
    name = nearest_fit(arrays, rules.edition, players)
    if name is None:
        raise StrategyError(
            f"weights '{path}' are for {', '.join(sorted(arrays)) or 'nothing'}, not for "
            f"{rules.edition} (or {FOR_ALL})"
        )
    wanted = strategy.weights_size
    if wanted is not None and arrays[name].size != wanted:
        raise StrategyError(
            f"weights '{path}': '{name}' has {arrays[name].size:,} numbers, and strategy "
            f"'{strategy.name}' needs {wanted:,}"
        )
    return arrays[name]


def given_weights(
    strategy: Strategy, rules: Rules, players: int, given: str | None = None
) -> np.ndarray | None:
    """The weights of `weights_of` as the strategy's functions get them: int16 if it quantises.

    Raises:
        StrategyError: as `weights_of`, or the weights cannot be quantised.
    """
    weights = weights_of(strategy, rules, players, given)
    if weights is None or strategy.quantise is None:
        return weights
    try:
        return _quantised(strategy.quantise, weights.tobytes())
    except ValueError as error:
        path = weights_file(strategy, given)
        raise StrategyError(f"weights '{path}' cannot be used: {error}") from error


@functools.lru_cache(maxsize=64)
def _quantised(quantise: Quantise, weights: bytes) -> np.ndarray:
    """The quantised weights of float32 numbers, computed once, however many line-ups use them."""
    rounded = aligned(quantise(np.frombuffer(weights, np.float32)))
    rounded.flags.writeable = False
    return rounded


def write_arrays(arrays: dict[str, np.ndarray]) -> bytes:
    """The bytes of a file of weights; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    named: dict[str, Any] = {name: arrays[name].astype(np.float32) for name in sorted(arrays)}
    np.savez_compressed(buffer, **named)
    return buffer.getvalue()
