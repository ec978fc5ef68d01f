"""Workers in other processes or on other machines: preparing a plan and playing its shards.

A worker is given the plan and the user's strategy files as bytes. It plays only if it runs the same
program, with the same rules and strategies, that made the plan. It reports its progress at
intervals. Progress is only shown to users: a report that is lost or late changes no result.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ethnos_sim.experiments.execution.playing import PackedShard, Tables, play_shard, prepare_tables
from ethnos_sim.experiments.execution.threads import OnGames
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.experiments.plans.plan_file import plan_text, read_plan
from ethnos_sim.experiments.plans.sources import kernel_source, package_version, strategy_sources
from ethnos_sim.simulator.custom_powers.registry import loaded
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file
from ethnos_sim.strategies import load_strategy_file

#: Seconds between two progress reports of a worker, and between two reads of their files.
SECONDS_A_COUNT = 0.5

#: Seconds between a worker's checks that the process that started it is still running.
SECONDS_BETWEEN_LOOKS = 0.25

#: Seconds to wait for a finished shard before checking that workers are left.
SECONDS_A_WAIT = 1.0

_one_at_a_time = threading.Lock()


Tell = Callable[[str, int], None]
"""Called with a shard's path and the number of its games played so far."""


class Work(NamedTuple):
    """Everything that a worker needs.

    plan            the text of the plan
    version         the version of the program
    strategy_files  files of strategies and of custom powers, as (path, content)
    tell            called with the worker's progress
    parent          a process on the same machine that started the worker; the worker ends with it
    """

    plan: str
    version: str
    strategy_files: tuple[tuple[str, bytes], ...]
    tell: Tell
    parent: int | None


def power_files(plan: Plan) -> list[Path]:
    """The files of a plan's custom powers, once for each clan that has one.

    Raises:
        PowerError: a file was not loaded, or its code has changed.
    """
    custom = [reference for about in plan.editions for _, reference in about.rules.custom_powers]
    return [loaded(reference).file for reference in custom]


def pack(
    plan: Plan, strategy_files: Sequence[Path], *, tell: Tell, parent: int | None = None
) -> bytes:
    """The work of a plan as bytes, which engines send to workers."""
    paths = dict.fromkeys([*(path.resolve() for path in strategy_files), *power_files(plan)])
    files = tuple((str(path), path.read_bytes()) for path in paths)
    return zlib.compress(
        pickle.dumps(Work(plan_text(plan), package_version(), files, tell, parent))
    )


def play_packed(packed: bytes, shard: Shard) -> PackedShard:
    """Play a shard of packed work.

    Raises:
        Failed: this worker does not run the program that the plan was made with.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    with _one_at_a_time:
        plan, tables = _ready(packed)
        tell = _unpacked(packed)[0].tell
    return play_shard(plan, tables, shard, on_games=telling(tell, shard)).packed()


Sent = TypeVar("Sent")
"""The reply of a worker: the played shard itself, or a reference to it."""


def play_elsewhere(
    send: Callable[[Shard], Future[Sent]],
    left: dict[Shard, None],
    done: Callable[[Shard, Sent], None],
    ahead: int,
    look: Callable[[], None] = lambda: None,
) -> None:
    """Have shards played by workers, and remove finished ones from `left`.

    Args:
        send: sends a shard to a worker.
        left: the shards to play, in order.
        done: called with each shard as soon as it is played.
        ahead: the most shards that are with workers at the same time.
        look: called between shards and while waiting; raises where no worker is left.

    Raises:
        Exception: what a worker raised; its shard, and others in play, are still in `left`.
    """
    waiting = iter(list(left))
    sent = {send(shard): shard for shard in islice(waiting, ahead)}
    while sent:
        look()
        for future in wait(sent, SECONDS_A_WAIT, FIRST_COMPLETED).done:
            shard = sent.pop(future)
            done(shard, future.result())
            del left[shard]
            sent.update((send(shard), shard) for shard in islice(waiting, 1))


def differences(packed: bytes) -> list[str]:
    """The differences of this worker from the program that packed the work; empty where equal."""
    work, plan = _unpacked(packed)
    differing = []
    if package_version() != work.version:
        differing.append(f"version {package_version()} instead of {work.version}")
    if kernel_source() != plan.kernel:
        differing.append("another simulator")
    differing += [
        f"rules {about.rules.rules_id} instead of {about.rules_id} ({about.key})"
        for about in plan.editions
        if about.rules.rules_id != about.rules_id
    ]
    sources = strategy_sources(plan.strategies)
    changed = [name for name, source in sources.items() if source != plan.strategies[name]]
    if changed:
        differing.append(f"another state of the strategies {', '.join(changed)}")
    return differing


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> tuple[Work, Plan]:
    work: Work = pickle.loads(zlib.decompress(packed))
    if work.parent is not None:
        _live_with(work.parent)
    for path, content in work.strategy_files:
        load_strategy_file(_same_file(Path(path), content))
    return work, read_plan(work.plan)


@lru_cache(maxsize=1)
def _ready(packed: bytes) -> tuple[Plan, Tables]:
    """The plan and its tables; Failed where this worker runs another program."""
    if differing := differences(packed):
        raise Failed(f"a worker on this machine has {'; '.join(differing)}")
    _, plan = _unpacked(packed)
    return plan, prepare_tables(plan)


def _same_file(path: Path, content: bytes) -> Path:
    """A file with this content: the path itself, or a copy where this machine lacks the file."""
    try:
        if read_file(path) == content:
            return path
    except OSError:
        pass
    copy = Path(tempfile.mkdtemp(prefix="ethnos-sim-")) / path.name
    copy.write_bytes(content)
    return copy


def _live_with(parent: int) -> None:
    """Ignore interruptions, which the parent process handles, and end when the parent ends."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def tell_by_file(folder: str, shard: str, games: int) -> None:
    """Report progress to a process on the same machine by a file for each shard in a folder."""
    with contextlib.suppress(OSError):  # The folder is gone when the sweep has ended.
        (Path(folder) / shard.replace("/", ",")).write_text(str(games), encoding="ascii")


def tell_by_topic(topic: str, shard: str, games: int) -> None:
    """Report progress through a topic of this worker's dask scheduler."""
    from distributed import get_worker

    get_worker().log_event(topic, [shard, games])


def telling(tell: Tell, shard: Shard) -> OnGames:
    """A function that counts the games of a shard and reports them at intervals."""
    played = 0
    last = time.monotonic()

    def count(games: int) -> None:
        nonlocal played, last
        played += games
        now = time.monotonic()
        if now - last >= SECONDS_A_COUNT:
            last = now
            tell(shard.path, played)

    return count


class Tally:
    """Turns progress reports of shards into numbers of games just played; safe in any thread."""

    def __init__(self, on_games: OnGames) -> None:
        """Begin with no games; `on_games` is called with every increase."""
        self._on_games = on_games
        self._counted: dict[str, int] = {}
        self._one_at_a_time = threading.Lock()

    def count(self, shard: str, games: int) -> None:
        """Take the number of a shard's games so far; it falls if the shard is played again."""
        with self._one_at_a_time:
            step = games - self._counted.get(shard, 0)
            if step > 0:
                self._counted[shard] = games
                self._on_games(step)

    def hear(self, event: tuple[Any, Any]) -> None:
        """Take a report of `tell_by_topic`, to which dask adds a time."""
        shard, games = event[1]
        self.count(shard, games)

    @contextlib.contextmanager
    def watching(self, folder: Path) -> Iterator[None]:
        """Read the files of `tell_by_file` while the body runs."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(SECONDS_A_COUNT):
                for path in folder.iterdir():
                    with contextlib.suppress(OSError, ValueError):
                        count = int(path.read_text(encoding="ascii"))
                        self.count(path.name.replace(",", "/"), count)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
