"""Play games by machine code for the first 64-bit processors, which have no wide vectors.

The code is made from the bitcode of this machine's code, without numba.
"""

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from inside import module_with
from inside.simulator.tables import Seat, load_engine
from inside.strategies import DEFAULTS, compiled_strategy
from llvmlite.binding import Linkage

from ethnos_sim import LineUp


class OldestProcessor:
    """Machine code for plain x86-64, and where it is.

    It maps the address of code for this processor to the address of the same code for plain x86-64.
    """

    def __init__(self) -> None:
        """Begin without any code."""
        self._engines: list[Any] = []
        self._addresses: dict[int, int] = {}

    def _address_of(self, function: Any, begin: str) -> int:
        """Compile a function for plain x86-64; return the address of its entry."""
        target = llvm.Target.from_default_triple()
        machine = target.create_target_machine(cpu="x86-64", features="", opt=3, jit=True)
        module = llvm.parse_bitcode(function._cache.bitcode())
        outward = [part.name for part in module.functions if part.linkage == Linkage.external]
        (name,) = (name for name in outward if name.startswith(begin))
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        passes = llvm.create_pass_builder(machine, options)
        passes.getModulePassManager().run(module, passes)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        self._engines.append(engine)
        address: int = engine.get_function_address(name)
        assert address
        return address

    def run_games(self) -> Callable[..., int]:
        """The engine's entry `run_games`, callable from Python."""
        array = [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 2 + [ctypes.c_void_p]
        array += [ctypes.c_int64] * 2
        called = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *array * 9)(
            self._address_of(load_engine()[0], "_ZN10ethnos_sim")
        )

        def run_games(*arrays: np.ndarray) -> int:
            answer, raised = ctypes.c_int64(), ctypes.c_void_p()
            passed: list[int | None] = []
            for records in arrays:
                size, count = records.dtype.itemsize, len(records)
                passed += [None, None, count, size, records.ctypes.data, count, size]
            status = called(ctypes.addressof(answer), ctypes.addressof(raised), *passed)
            assert status == 0
            return answer.value

        return run_games

    def learn(self, functions: list[Any]) -> None:
        """Compile answers that this machine's code may call."""
        for function in functions:
            if function.address not in self._addresses:
                self._addresses[function.address] = self._address_of(function, "cfunc.")

    def seat(self, seat: Seat) -> Seat:
        """A seat with the addresses of this code, also for its policy."""
        return replace(
            seat,
            address=self._addresses[seat.address],
            default_address=self._addresses[seat.default_address],
            policy=seat.policy and self.seat(seat.policy),
        )


def play_on_the_oldest_processor(patch: pytest.MonkeyPatch) -> None:
    """Make the engine and all line-ups play by code for the first 64-bit processors."""
    code, seats_of = OldestProcessor(), LineUp.seats

    def seats(line_up: LineUp) -> tuple[Seat, ...]:
        code.learn([compiled_strategy(DEFAULTS), *map(compiled_strategy, line_up.strategies)])
        return tuple(map(code.seat, seats_of(line_up)))

    patch.setattr(module_with("simulator.kernel", "_run_games"), "run_games", code.run_games())
    patch.setattr(LineUp, "seats", seats)
