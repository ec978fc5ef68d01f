"""Weight arrays from files, for strategies that compute with learned numbers.

A strategy declared with `@strategy(..., weights="mine.npz")` gets the numbers of that file as
`weights`: a flat, read-only float32 array, or the int16 array that the strategy's `quantise` makes
of it. The file lies in `strategies/weights/` for this package's strategies, and beside the
strategy's file for others; `name:weights=FILE` in a line-up names another file. An `.npz` holds
arrays by name, of which `best_fitting_name` chooses one.
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

#: The bytes of a cache line.
CACHE_LINE = 64

#: The type of weights as a file stores them.
FLOAT_WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)

#: The type of weights after quantising.
WHOLE_WEIGHTS = types.Array(types.int16, 1, "C", readonly=True)


def array_at(context: Any, builder: Any, kind: Any, address: Any, size: Any) -> Any:
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


def _array_maker(kind: Any) -> Any:
    """An intrinsic that makes an array over the numbers at an address."""

    @intrinsic
    def make(typing_context: Any, address: Any, size: Any) -> Any:
        def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = context.get_data_type(kind.dtype).as_pointer()
            first = builder.inttoptr(arguments[0], pointer)
            return array_at(context, builder, kind, first, arguments[1])

        return kind(types.int64, types.int64), generate_code

    return make


#: Make an array over the numbers at an address: weights, quantised weights, or a writable log. The
#: strategy's private record has the address and the number of numbers.
weights_at = _array_maker(FLOAT_WEIGHTS)
whole_weights_at = _array_maker(WHOLE_WEIGHTS)
log_at = _array_maker(types.Array(types.float32, 1, "C"))


def weights_file(strategy: Strategy, other_file: str | None = None) -> Path | None:
    """The path of a strategy's weights, or of another file; None if it uses no weights."""
    if other_file is not None:
        return Path(other_file).expanduser()
    if strategy.weights is None:
        return None
    return strategy.data_path("weights", strategy.weights)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file of weights, by name, flat and float32.

    Raises:
        StrategyError: the file cannot be read, or has anything but finite numbers.
    """
    return dict(read_data("weights", path, _read_flat_arrays))


def read_data(content: str, path: Path, decode: Callable[[Path], T]) -> T:
    """The result of `decode` for a file; a StrategyError that names `content` if it is wrong."""
    try:
        return decode(path)
    except OSError as error:
        raise StrategyError(f"{content} '{path}': {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise StrategyError(f"'{path}' holds no {content} ({error})") from error


@cached_until_changed
def _read_flat_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file by name, as strategies get them; ValueError if an array is wrong."""
    arrays = arrays_of_npz(read_file(path))
    return {name: _flat_array(name, array) for name, array in arrays.items()}


def _flat_array(name: str, array: np.ndarray) -> np.ndarray:
    """The array, flat, float32 and read-only; ValueError if it has anything but finite numbers."""
    if array.dtype.kind not in "fiu":
        raise ValueError(f"array '{name}' has values that are not numbers")
    flat = aligned_copy(np.ascontiguousarray(array, np.float32).ravel())
    if not np.isfinite(flat).all():
        raise ValueError(f"array '{name}' has numbers that are not finite")
    flat.flags.writeable = False
    return flat


def aligned_copy(array: np.ndarray) -> np.ndarray:
    """A copy of a flat array that begins at the start of a cache line."""
    room = np.empty(array.size + CACHE_LINE // array.itemsize, array.dtype)
    first = -room.ctypes.data % CACHE_LINE // array.itemsize
    copy = room[first : first + array.size]
    copy[:] = array
    return copy


def best_fitting_name(names: Collection[str], edition: str, players: int) -> str | None:
    """The name that fits an edition and a number of players best; None if none of them fits.

    The order of preference is: `EDITION-PLAYERS` (`second-4`), `EDITION` (`second`), `any`, and
    `EDITION-PLAYERS` of the nearest number of players (the smaller of two that are equally near).
    """
    by_distance = sorted(range(1, MAX_PLAYERS + 1), key=lambda number: abs(number - players))
    exact, *others = [f"{edition}-{number}" for number in by_distance]
    wanted = [exact, edition, FOR_ALL, *others]
    return next((name for name in wanted if name in names), None)


def weights_of(
    strategy: Strategy, rules: Rules, players: int, other_file: str | None = None
) -> np.ndarray | None:
    """The weights for these rules and players (float32, flat); None if a strategy uses no weights.

    Args:
        strategy: the strategy.
        rules: the rules in force; only their edition counts.
        players: how many sit at the table.
        other_file: a file to use instead of the declared file.

    Raises:
        StrategyError: the file is wrong, or has no array that fits, or the array's size is wrong.
    """
    path = weights_file(strategy, other_file)
    if path is None:
        return None
    arrays = read_arrays(path)
    name = best_fitting_name(arrays, rules.edition, players)
    if name is None:
        raise StrategyError(
            f"weights '{path}' have arrays for {', '.join(sorted(arrays)) or 'nothing'}, none for "
            f"{rules.edition} (or {FOR_ALL})"
        )
    wanted = strategy.weights_size
    if wanted is not None and arrays[name].size != wanted:
        raise StrategyError(
            f"weights '{path}': '{name}' has {arrays[name].size:,} numbers, and strategy "
            f"'{strategy.name}' needs {wanted:,}"
        )
    return arrays[name]


def playing_weights(
    strategy: Strategy, rules: Rules, players: int, other_file: str | None = None
) -> np.ndarray | None:
    """The weights that the strategy's functions get: those of `weights_of`, quantised if declared.

    Raises:
        StrategyError: as `weights_of`, or the weights cannot be quantised.
    """
    weights = weights_of(strategy, rules, players, other_file)
    if weights is None or strategy.quantise is None:
        return weights
    try:
        return _quantised_weights(strategy.quantise, weights.tobytes())
    except ValueError as error:
        path = weights_file(strategy, other_file)
        raise StrategyError(f"weights '{path}' cannot be used: {error}") from error


@functools.lru_cache(maxsize=64)
def _quantised_weights(quantise: Quantise, weights: bytes) -> np.ndarray:
    """The result of `quantise` for float32 weights, computed once for all line-ups."""
    rounded = aligned_copy(quantise(np.frombuffer(weights, np.float32)))
    rounded.flags.writeable = False
    return rounded


def encode_arrays(arrays: dict[str, np.ndarray]) -> bytes:
    """The bytes of a file of weights; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    named: dict[str, Any] = {name: arrays[name].astype(np.float32) for name in sorted(arrays)}
    np.savez_compressed(buffer, **named)
    return buffer.getvalue()
