"""The first run: what no run has kept yet is compiled side by side, in processes of its own.

Numba compiles one function at a time in a process. Workers take the engine and the library's
strategies one by one, the longest first, and leave machine code where this process and all later
runs find it. Nothing depends on them: what a worker did not make is compiled when it is needed.

    python -m ethnos_sim.strategies.compiling_ahead    # a worker: names on its standard input
    python -m ethnos_sim.strategies.compiling_ahead --all  # all that ships, side by side
    python -m ethnos_sim.strategies.compiling_ahead --copy FOLDER  # what is kept of it
"""

from __future__ import annotations

import functools
import logging
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from joblib import cpu_count

from ethnos_sim.simulator.batch import load_engine
from ethnos_sim.simulator.keeping import NotKept, cache_folder, only_kept
from ethnos_sim.simulator.user_code.generating import generated_function
from ethnos_sim.strategies import toolkit
from ethnos_sim.strategies.api import Strategy, strategy
from ethnos_sim.strategies.compiling import (
    DEFAULTS,
    compiled,
    compiled_valuation,
    is_from_outside,
)
from ethnos_sim.strategies.registry import get_strategy, list_strategies, settings_of
from ethnos_sim.strategies.restrictions import compiled_filter

#: Names of what is compiled but is no strategy of the registry.
ENGINE, DEFAULT_ANSWERS, RESTRICTIONS = "engine", "defaults", "restrictions"

#: The toolkit as users' code calls it: each function is kept by itself where it is called before
#: those that call it.
TOOLKIT = "toolkit"
_CALLS = """
def turn(view, rng):
    slot, region, size, mask, share = view.age, view.age, view.age, view.leaders, 0.5
    draw(), take(slot), decline(), play(party_of(view, slot, mask, mask)), hand(view), pool(view)
    random_below(rng, size), random_chance(rng, share), cards_left(view), end_chance(view, share)
    hand_is_full(view), last_dragon_next(view), unseen(view), unseen_cards(view, mask)
    best_rival(view, region), markers_needed(view, region), region_open(view, region, slot, size)
    award_now(view, region, size), marker_gain(view, region), most_contested_region(view, mask)
    award_at(view, region, size, size), marker_worth(view, region, share)
    worthiest_region(view, mask, share), open_to(view, slot, size)
    cards_in_hand(view, mask), larger_group(view, slot), gather(view, slot, mask)
    matching_cards(view, hand(view), slot), party_led(view, slot), largest_party(view)
    power_prestige(view, slot, region, size), party_prestige(view, slot, size, size)
    party_worth(view, slot, size, size, share, share), best_party(view)
    known_companions(view, region, slot), gift(view, mask)
    fitting_pool_card(view), take_or_draw(view)
    party, worth = worthiest_party(view, share, share)
    ripe(view, party, size, size)
    return play_or_decline(party, worth)
"""

#: What takes longest, in this order; all else takes about equally long.
LONGEST = ("learned", "lookahead", ENGINE, "champion", "warden", "evaluator", DEFAULT_ANSWERS)

#: What values moves by the net: a process that has compiled one has much of the other.
BY_THE_NET = ("learned", "lookahead")

#: More processes than this would mostly wait for the longest.
MOST_WORKERS = 4

log = logging.getLogger("ethnos_sim")


def compile_ahead(entries: Iterable[str]) -> None:
    """Have the engine and strategies compiled by all cores, where no run has kept them.

    Strategies from outside the package are left for this process, which tells what is wrong with
    them.

    Args:
        entries: strategies as in a line-up, with their settings.

    Raises:
        StrategyError: one of them is not known.
    """
    _compile_missing({ENGINE, DEFAULT_ANSWERS, *_own_strategies(entries)})


def all_names() -> set[str]:
    """All that ships: engine, strategies, and what these say of moves."""
    own = [each for each in list_strategies() if not is_from_outside(each)]
    said = {f"{each.name} {valuation}" for each in own for valuation in each.valuations}
    return {ENGINE, DEFAULT_ANSWERS, RESTRICTIONS, TOOLKIT, *said, *(each.name for each in own)}


def compile_all() -> None:
    """Compile what no run has kept of all that ships, side by side, and load it."""
    names = all_names()
    _compile_missing(names)
    for name in names:
        load(name)


def copy_kept(target: Path) -> None:
    """Copy the kept machine code of all that ships into a new folder, but that of the toolkit.

    Its functions are looked for one by one only while their caller is compiled.
    """
    kept = cache_folder()
    looked_for: set[Path] = set()

    def note(event: str, given: tuple[object, ...]) -> None:
        if event == "open" and (file := Path(str(given[0]))).parent == kept:
            looked_for.add(file)

    sys.addaudithook(note)
    for name in all_names() - {TOOLKIT}:
        _is_kept(name)
    target.mkdir(parents=True)
    for file in filter(Path.exists, looked_for):
        shutil.copy(file, target)


def _compile_missing(names: Collection[str]) -> None:
    """Have all cores compile what no run has kept."""
    order = [*LONGEST, *sorted(names)]
    missing = sorted((name for name in names if not _is_kept(name)), key=order.index)
    tasks = [[name] for name in missing if name not in BY_THE_NET]
    if len(tasks) < len(missing):
        tasks.insert(0, [name for name in missing if name in BY_THE_NET])
    workers = min(cpu_count(), len(tasks), MOST_WORKERS)
    if workers < 2 or cache_folder() is None:
        return
    log.info("compiling the engine and strategies, once, in %d processes", workers)
    left: SimpleQueue[list[str]] = SimpleQueue()
    for task in tasks:
        left.put(task)
    started: list[subprocess.Popen[str]] = []
    try:
        for _ in range(workers):
            started.append(_worker())
        feeding = [Thread(target=_feed, args=(each, left), daemon=True) for each in started]
        for thread in feeding:
            thread.start()
        for thread in feeding:
            thread.join()
    finally:
        for process in started:
            process.kill()
            process.communicate()  # which closes its pipes, too


def _own_strategies(entries: Iterable[str]) -> Iterator[str]:
    """The names of the package's own strategies in a line-up, and of those that they play on by."""
    for entry in entries:
        strategy, given = settings_of(entry)
        policy = given.get("policy", strategy.policy)
        for each in (strategy, *([] if policy is None else [get_strategy(policy)])):
            if not is_from_outside(each):
                yield each.name


@functools.cache
def _caller_of_the_toolkit() -> Strategy:
    """A strategy as users write them, of no sense, that calls what they call."""
    names = {name: getattr(toolkit, name) for name in toolkit.__all__}
    return strategy(name=TOOLKIT)(generated_function(TOOLKIT, "turn", _CALLS, names))


def load(name: str) -> None:
    """Load what has this name, or compile it."""
    own, _, valuation = name.partition(" ")
    if name == ENGINE:
        load_engine()
    elif name == TOOLKIT:
        compiled(_caller_of_the_toolkit())
    elif name == RESTRICTIONS:
        compiled_filter()
    elif valuation:
        compiled_valuation(get_strategy(own), valuation)
    else:
        compiled(DEFAULTS if name == DEFAULT_ANSWERS else get_strategy(name))


def _is_kept(name: str) -> bool:
    """Whether a run has kept what has this name; it is loaded then."""
    try:
        with only_kept():
            load(name)
    except NotKept:
        return False
    return True


def _worker() -> subprocess.Popen[str]:
    """A process that compiles what it is told, and runs no module of the working folder (-P)."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __spec__.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    )


def _feed(worker: subprocess.Popen[str], left: SimpleQueue[list[str]]) -> None:
    """Give a worker one task after the other until none is left, or it has ended."""
    assert worker.stdin is not None, "it is a pipe"
    assert worker.stdout is not None, "it is a pipe"
    try:
        while True:
            for name in left.get_nowait():
                worker.stdin.write(f"{name}\n")
                if not worker.stdout.readline():
                    return
    except (Empty, OSError):
        return


def main() -> None:
    """Compile or copy all that ships, or compile what standard input names, with a line each."""
    match sys.argv[1:]:
        case ["--all"]:
            compile_all()
        case ["--copy", folder]:
            copy_kept(Path(folder))
        case _:
            for name in map(str.strip, sys.stdin):
                load(name)
                print(name, flush=True)


if __name__ == "__main__":
    main()
