"""The data that a page embeds to play games: the engine as WebAssembly, rules, line-ups, weights.

One packed text has all bytes: the WebAssembly modules, and an image of the page's memory, which the
page copies to the image's address. So pointers in records are right in the page. The address of a
function is its index in the page's table of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from ethnos_sim.reports.rendering.pages import join_modules, packed_base64
from ethnos_sim.simulator.compiler.relocation import ALIGNMENT, STACK_TOP, place_objects
from ethnos_sim.simulator.compiler.webassembly import HEAP, HEAP_END, webassembly_object
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.kernel.faults import SENTENCES
from ethnos_sim.simulator.preparing.rule_records import CLAN_DTYPE, VALUES_DTYPE, value_offsets
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.stepping.actions import SELECTION_DTYPE
from ethnos_sim.simulator.tables.batch import load_engine
from ethnos_sim.simulator.tables.modes import MODES, SOLO, STANDARD
from ethnos_sim.simulator.tables.table import clan_records, entry_records, values_record
from ethnos_sim.strategies.compiling import DEFAULTS, compiled_strategy
from ethnos_sim.strategies.compiling_ahead import load_person, make_webassembly_ahead
from ethnos_sim.strategies.line_up import LineUp

FOLDER = Path(__file__).parent

#: The compiled functions that the page itself calls, in the order of `load_engine`.
ENGINE_FUNCTIONS = ("run_games", "prepare_tables")

#: The record types by name. Scripts read and write their fields by name.
RECORD_TYPES: dict[str, np.dtype] = {
    **{name: dtype for name, dtype in vars(records).items() if name.endswith("_DTYPE")},
    "VALUES_DTYPE": VALUES_DTYPE,
    "CLAN_DTYPE": CLAN_DTYPE,
    "SELECTION_DTYPE": SELECTION_DTYPE,
}


class _MemoryImage:
    """The bytes of a page's memory from `address` on; every array begins a new cache line."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.content = bytearray()
        self._addresses: dict[bytes, int] = {}

    def put(self, array: np.ndarray) -> int:
        """Add an array unless an equal one is there; return its address."""
        piece = array.tobytes()
        if piece not in self._addresses:
            self.content += bytes(-len(self.content) % ALIGNMENT)
            self._addresses[piece] = self.address + len(self.content)
            self.content += piece
        return self._addresses[piece]


def engine_data(
    rules: Mapping[str, Rules],
    players: Iterable[int],
    strategies: Sequence[str],
) -> dict[str, Any]:
    """The data with which a page plays by `rules` with `strategies` (JSON; see engine.js).

    A person may play instead of any strategy.

    Args:
        rules: the rules of each rule set, by keys that the caller chooses.
        players: the numbers of players that the page offers; 1 is solo.
        strategies: entries of line-ups as on the command line, without restrictions.

    Raises:
        UnportableCode: the plain back end compiled the engine, or code calls a function that a page
            does not have.
        StrategyError, PowerError: a strategy or a power does not compile.
    """
    line_ups = [
        (key, number, text, LineUp.parse(text, number, rules[key]))
        for key, number, text in product(rules, players, strategies)
    ]
    functions = dict(_callbacks(rules, [line_up for *_, line_up in line_ups]))
    functions["person"], functions["continue_answer"] = load_person()
    make_webassembly_ahead(strategy for *_, line_up in line_ups for strategy in line_up.strategies)
    modules = place_objects(map(webassembly_object, [*load_engine(), *functions.values()]))
    entry_indices = [module.entry for module in modules]
    indices = dict(zip([*ENGINE_FUNCTIONS, *functions], entry_indices, strict=True))
    function_indices = {0: 0} | {
        function.address: indices[name]
        for name, function in functions.items()
        if hasattr(function, "address")
    }
    image = _MemoryImage(-(-modules[-1].end // ALIGNMENT) * ALIGNMENT)
    entries: dict[str, dict[int, dict[str, int]]] = {}
    for key, number, text, line_up in line_ups:
        record = _entry_record(line_up, rules[key], function_indices, image)
        entries.setdefault(key, {}).setdefault(number, {})[text] = image.put(record)
    described = {key: _rule_facts(known, function_indices, image) for key, known in rules.items()}
    code = b"".join(module.module for module in modules)
    return {
        "packed": packed_base64(code + bytes(image.content)),
        "modules": [len(module.module) for module in modules],
        "functions": indices,
        "table": modules[-1].next_index,
        "image": image.address,
        "stack": STACK_TOP,
        "low": {"heap": HEAP, "heap_end": HEAP_END},
        "layouts": dict(_layout_facts(RECORD_TYPES)),
        "rules": described,
        "entries": entries,
        "strategies": list(strategies),
        **_constants(),
    }


def _constants() -> dict[str, Any]:
    """The constants of the program that scripts need with any rules."""
    return {
        "most_players": records.MAX_PLAYERS,
        "gives_up": records.KINDS.index(records.GIVES_UP),
        "modes": {
            mode: [SOLO.get(mode, records.NOT_SOLO), int(mode != STANDARD)] for mode in MODES
        },
        "decisions": list(records.DECISIONS),
        "faults": SENTENCES,
        "worker": join_modules(FOLDER / "worker.js"),
    }


def _callbacks(rules: Mapping[str, Rules], line_ups: Iterable[LineUp]) -> Iterator[tuple[str, Any]]:
    """Names and functions that the engine calls by address: default answers, strategies, powers."""
    yield "defaults", compiled_strategy(DEFAULTS)
    for line_up in line_ups:
        for strategy in line_up.strategies:
            yield strategy.name, compiled_strategy(strategy)
    references = [
        reference
        for edition_rules in rules.values()
        for reference in edition_rules.all_custom_powers
    ]
    if references:
        from ethnos_sim.simulator.custom_powers.compiling import compiled_power
        from ethnos_sim.simulator.custom_powers.registry import loaded_power

        for power in map(loaded_power, references):
            yield f"power {power.name}", compiled_power(power)


def _entry_record(
    line_up: LineUp, rules: Rules, function_indices: Mapping[int, int], image: _MemoryImage
) -> np.ndarray:
    """The record of a line-up's first entry for the page (shape (), ENTRY_DTYPE)."""
    seat = line_up.seats()[0]
    record = entry_records([seat], rules.clans)[0]
    memory = record["own"]
    for field in ("addresses", "policy_addresses"):
        memory[field] = [function_indices[int(address)] for address in memory[field]]
    for index, player in enumerate([seat] if seat.policy is None else [seat.policy, seat]):
        if player.weights is not None:
            memory["weights"][index] = image.put(player.weights)
    return np.asarray(record)


def _rule_facts(
    rules: Rules, function_indices: Mapping[int, int], image: _MemoryImage
) -> dict[str, Any]:
    """A rule set for scripts: its clans, the addresses of its records, and each value's offset."""
    source = clan_records(rules, rules.clans)
    clans = np.zeros(len(source), CLAN_DTYPE)  # a copy would have random bytes between fields
    for name in source.dtype.names or ():
        clans[name] = source[name]
    clans["power_code"] = [function_indices[int(address)] for address in source["power_code"]]
    values = values_record(rules).copy()
    values["power_code"] = [[function_indices[int(at)] for at in values["power_code"][0]]]
    return {
        "clans": list(rules.clans),
        "values": image.put(values),
        "clan_records": image.put(clans),
        "fields": value_offsets(rules),
    }


def _layout_facts(record_types: Mapping[str, np.dtype]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The layouts of records by name: the size, and the offset, type and shape of each field."""
    names = {dtype: name for name, dtype in record_types.items()}
    for name, dtype in record_types.items():
        fields = {}
        for field, (kind, offset, *_) in (dtype.fields or {}).items():
            base, shape = kind.base, list(kind.shape)
            fields[field] = [offset, names.get(base, base.str[1:]), shape]
        yield name, {"size": dtype.itemsize, "fields": fields}
