"""Strategies and powers that try to read the hidden record or data of other runs.

Each has one line or a few, in a file that imports everything helpful. All are refused when they are
compiled, before any game, in a sentence with the line.
"""

import textwrap
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from inside import module_with
from inside.simulator.custom_powers import compiled as compiled_power
from inside.simulator.custom_powers import declared_in
from inside.simulator.user_code import load_module
from inside.strategies import compiled

from ethnos_sim.simulator import kernel
from ethnos_sim.simulator.custom_powers import PowerError
from ethnos_sim.strategies import StrategyError
from faults.fault import Fault
from faults.ground import Ground

clans = module_with("simulator.kernel", "slot_of")

IMPORTS = """\
import ctypes, math, operator
import numba
import numpy as np
from numba import carray, types
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.custom_powers import game as shown_games
from ethnos_sim.simulator.custom_powers import toolkit as tools
from ethnos_sim.simulator.kernel import asking, events, memory, moments
from ethnos_sim.simulator.kernel.memory import address_of, store_number
from ethnos_sim.simulator.kernel.memory import store_number as gentle
from ethnos_sim.simulator.game.records import *
from ethnos_sim.simulator.user_code.showing import as_shown, whole
from ethnos_sim.strategies.afterstates.ahead import begin_next_age, come_to
from ethnos_sim.strategies.weights import log_at, weights_at
"""
HELPERS = """
hidden_record = shown_games._hidden_at
functions = (address_of, store_number)
own_records = np.zeros(1, OWN_DTYPE)
strlen = ctypes.CDLL(None).strlen
strlen.argtypes, strlen.restype = [ctypes.c_size_t], ctypes.c_size_t

@kernel
def peek(record):
    return address_of(record)

def enclosing(function):
    @kernel
    def inner(record):
        return function(record)
    return inner

closed = enclosing(address_of)

@kernel
def by_default(record, function=address_of):
    return function(record)

@kernel
def by_argument(function, record):
    return function(record)

@numba.njit
def unbound(record):
    return address_of(record)

@numba.njit(cache=False, inline="always")
def copied_in(record):
    return address_of(record)

@numba.cfunc("int64(int64)")
def called_by_address(number):
    return number

pointer = called_by_address.ctypes

@kernel
def write_field(record):
    record.prestige[0] = 900

@kernel
def write_row(row):
    row[0] = 900
"""

#: A function that takes another function.
HELD = """
@kernel
def held(function):
    return 0
"""

Strike = Callable[[Ground], None]

#: Attempts of strategies and powers alike: `shown` is the view or the game, and `handle` is the
#: object that tools take.
BOTH = {
    "a function of memory": "found = address_of(handle)",
    "it by another name": "other = address_of\nfound = other(handle)",
    "it in its module": "found = memory.address_of(handle)",
    "a module by another name": "module = memory\nmodule.store_number(4096, 0, 1)",
    "it as it was imported": "gentle(4096, 0, 1)",
    "a write to an address": "store_number(4096, 0, 1)",
    "a copy of bytes": "memory.copy_bytes(4096, 8192, 8)",
    "a record at an address": "found = hidden_record(4096).next_card",
    "a helper that does": "found = peek(handle)",
    "a function in a closure": "found = closed(handle)",
    "a function as a default": "found = by_default(handle)",
    "a function as an argument": "found = by_argument(address_of, handle)",
    "functions in a tuple": "found = functions[0](handle)",
    "functions in a tuple here": "both = (address_of, address_of)\nfound = both[0](handle)",
    "a lambda": "found = (lambda record: address_of(record))(handle)",
    "a function within": "def inner(record):\n    return address_of(record)\nfound = inner(handle)",
    "a function for map": "found = list(map(peek, [1]))",
    "a helper without a bound": "found = unbound(handle)",
    "a helper that is copied in": "found = copied_in(handle)",
    "carray": "found = carray(4096, 10)[0]",
    "carray in its module": "found = numba.carray(4096, (10,))[0]",
    "a function of C": "found = strlen(4096)",
    "a pointer to a function": "found = pointer(1)",
    "objmode": "with numba.objmode():\n    pass",
    "what is not shown": "found = whole(handle).random_state",
    "showing anew": "found = as_shown(handle)",
    "the way to strategies": "asking.call_strategy(4096, shown, shown, shown)",
    "the question": "asking.put_question(shown, handle, 0, 0, 0, 0, 0)",
    "the trace": "events.write(handle, 1)",
    "an array's address": "found = shown.markers.ctypes.data",
    "an array's memory": "found = shown.markers.ctypes",
    "an array of another type": "found = shown.sea.view(np.int64)",
    "a record out of numbers": "found = np.zeros(9000, np.int8).view(IMAGINED_DTYPE)",
    "a record of one's own": "found = np.zeros(1, HIDDEN_DTYPE)[0].next_card",
    "a record of the module": "found = own_records[0].random_state",
    "numbers at an array": "found = np.frombuffer(shown.markers, np.int64)",
    "strides of one's own": "found = np.lib.stride_tricks.as_strided(shown.markers, (999, 999))",
    "memory as it was left": "found = np.empty(5)[0]",
    "memory as it was left, alike": "found = np.empty_like(shown.prestige)[0]",
    "an array without values": "found = np.ndarray(5)[0]",
    "a hash of a text": "found = hash('text')",
    "a hash of a number": "found = hash(5)",
    "a hash as a method": "found = shown.age.__hash__()",
    "the order of texts": "found = 0\nfor text in {'a', 'b'}:\n    found += len(text)",
    "a dictionary": "found = {1: 2}",
    "an identity": "found = id(shown)",
    "where code lies": "found = shown.power_code[0]",
    "weights anywhere": "found = weights_at(4096, 100)[0]",
    "a log anywhere": "log_at(4096, 100)[0] = 1",
    "a field by its number": "found = shown[3]",
    "a field by its text": "found = shown['age']",
    "a field by getattr": "found = getattr(shown, 'power_code')[0]",
    "setattr": "setattr(shown, 'age', 3)",
    "a field": "shown.age = 3",
    "a field of a part": "part = shown; rules = part.rules; rules.hand_limit = 100",
    "an item": "shown.prestige[0] = 900",
    "an item by another name": "(other := shown).prestige[0] = 900",
    "an item in place": "other = shown; other.prestige[0] += 900",
    "all items": "other = shown; other.prestige[:] = 900",
    "an array in place": "other = shown.prestige\nother += 900",
    "rows in place": "for row in shown.markers:\n    row += 5",
    "rows": "for row in shown.markers:\n    row[0] = 50",
    "a helper that writes": "write_field(shown)",
    "a helper that writes a row": "write_row(shown.markers[0])",
    "fill": "shown.prestige.fill(900)",
    "sort": "shown.prestige.sort()",
    "flat": "other = shown.prestige.flat\nother[0] = 900",
    "another shape": "other = shown.markers.reshape(36); other[0] = 50",
    "another shape by numpy": "other = np.reshape(shown.markers, 36); other[0] = 50",
    "one row of all": "other = np.ravel(shown.markers); other[0] = 50",
    "turned": "other = np.transpose(shown.markers[2:4]); other[0, 0] = 50",
    "turned by an attribute": "other = shown.markers; back = other.T; back[0, 0] = 50",
    "flipped": "other = np.flip(shown.prestige); other[0] = 5",
    "split": "other = np.split(shown.prestige, 2)[0]; other[0] = 5",
    "as an array": "other = np.asarray(shown.prestige); other[0] = 5",
    "in two dimensions": "other = np.atleast_2d(shown.prestige); other[0, 0] = 5",
    "broadcast": "other = np.broadcast_to(shown.prestige, (2, 6)); other[0, 0] = 5",
    "the real part": "other = shown.prestige; real = other.real; real[0] = 5",
    "in a list": "parts = [shown.supply, shown.sea[0]]; parts[0][0] = 99",
    "in a tuple": "parts = (shown, shown); parts[1].age_over = 1",
    "a sum into it": "np.add(shown.prestige, 5, shown.prestige)",
    "a sum into it by name": "np.add(shown.prestige, 5, out=shown.prestige)",
    "a product into an array": "np.dot(np.eye(6), np.ones(6), np.ones(6))",
    "bounds into it": "np.clip(shown.prestige, 0, 1, shown.prestige)",
    "copyto": "np.copyto(shown.prestige, 5)",
    "put": "np.put(shown.prestige, 0, 5)",
    "the diagonal": "np.fill_diagonal(shown.markers, 5)",
    "nditer": "for each in np.nditer(shown.prestige):\n    each[()] = 5",
    "operator": "operator.setitem(shown.prestige, 0, 900)",
}

STRATEGY = {
    "the private record": "found = rng.random_state",
    "the private record's restrictions": "rng.never_leads = np.uint64(0)",
    "where other code lies": "found = rng.addresses[0]",
    "other code": "rng.addresses[1] = 8",
    "the private record by text": "found = rng['addresses']",
    "the private record by getattr": "found = getattr(rng, 'addresses')[0]",
    "fields unrolled": "for name in numba.literal_unroll(('memory', 'weights')):\n    rng[name]",
    "an imagined field": "games[0].open.age = 100",
    "an imagined row": "row = games[0].open.markers[0]\nrow[0] = 100",
    "an imagined hand": "games[0].hidden.hands_once[0] = np.uint64(0)",
    "imagined code": "found = games[0].hidden.own[0].addresses[0]",
    "an imagined log": "found = games[0].log.address",
    "imagined positions": "found = games[0].hidden.positions",
    "a field of all games": "found = games['log']",
    "games as numbers": "found = games.view(np.int64)",
    "a game for another": "games[0] = games[1]",
    "an imagined age": "begin_next_age(view, games[0].hidden)",
    "what an imagined move comes to": "found = come_to(games[0], draw(), 4, np.ones(9))[0]",
    "games in a list": "found = [games[0]]",
    "games in a loop": "for _ in range(3):\n    games = imagined_games(view, rng, 2)",
    "a game that is returned": "guess(view, rng, given(view, rng))",
    "a game that is returned with more": "guess(view, rng, given_with(view, rng)[0])",
}

POWER = {
    "the hidden record": "game.rest",
    "the hidden record by another name": "other = game; found = other.rest",
    "the table's address": "found = getattr(game, 'log')",
    "the tools' view": "tools.whole(game).prestige[0] = 900",
    "the games' hidden record": "found = shown_games.hidden_of(game).next_card",
    "an act that was not done": "tools.done(game, 7, player, 900, 0)",
    "a card out of nothing": "tools._to_hand(game, game, player, np.uint64(1))",
    "a number of acts": "moments.write_act(game, game, 0, 0, 0, 0)",
    "a draw": "tools.draw_card(game, game, player)",
    "a marker": "tools.put_marker(game, player, 0)",
}

AS_STRATEGY = """
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
{}
@kernel
def given(view, rng):
    games = imagined_games(view, rng, 2)
    return games[0]

@kernel
def given_with(view, rng):
    games = imagined_games(view, rng, 2)
    return games[0], 1

@strategy(policy="random")
def reaching(view, memory, rng):
    shown = view
    handle = rng
{}
{}
    return draw()
"""
AS_POWER = """
from ethnos_sim.simulator.custom_powers import *
{}
@power("reaching")
def turn_end(game, player):
    shown = game
    handle = game
{}
"""


def strategy_refused(body: str) -> Strike:
    """A strategy with this body is refused in a sentence that names the line."""
    games = "    games = imagined_games(view, rng, 2)\n" if "games" in body else ""
    return _refused(AS_STRATEGY.format(HELPERS, games, textwrap.indent(body, "    ")))


def power_refused(body: str) -> Strike:
    """A power with this body is refused in a sentence that names the line."""
    return _refused(AS_POWER.format(HELPERS, textwrap.indent(body, "    ")))


def _refused(text: str, said: str = "") -> Strike:
    """A file with a strategy or a power is refused in a sentence that names a line."""

    def strike(ground: Ground) -> None:
        file = ground.inside / "reaching.py"
        file.write_text(IMPORTS + text, encoding="utf-8")
        with pytest.raises((StrategyError, PowerError), match=rf"{file}:\d+: .*{said}"):
            _compile(file)

    return strike


def _compile(file: Path) -> None:
    """Compile the strategy or the power of a file, without registering it."""
    module = load_module(file, "file", StrategyError)
    for power in declared_in(module):
        compiled_power(power)
    compiled(vars(module)["reaching"])


def engine_refused(ground: Ground) -> None:
    """No strategy can even name a function of the engine, whatever the name."""
    tried = 0
    for listed in iter_modules(kernel.__path__, f"{kernel.__name__}."):
        module = import_module(listed.name)
        for name, value in vars(module).items():
            function = getattr(value, "py_func", getattr(value, "_defn", None))
            if function and function.__module__ == module.__name__ and module is not clans:
                text = f"import {module.__name__} as engine\n" + AS_STRATEGY
                body = f"    held(engine.{name})"
                _refused(text.format(HELD, "", body), "is out of reach")(ground)
                tried += 1
    assert tried > 100


SHORT = {
    "a helper that does", "a function in a closure", "an array's address", "a hash of a text",
    "rows", "other code", "a game that is returned", "the hidden record by another name",
}  # fmt: skip

FAULTS = [
    Fault(f"{what} that reaches", name, strike(body), short=name in SHORT)
    for what, strike, bodies in (
        ("strategy", strategy_refused, BOTH | STRATEGY),
        ("power", power_refused, BOTH | POWER),
    )
    for name, body in bodies.items()
]
FAULTS.append(Fault("strategy that reaches", "every function of the engine", engine_refused))
