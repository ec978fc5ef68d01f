"""How far workers are within their shards: they tell now and then, and progress moves meanwhile.

What they tell is for the eye alone. A count that is lost or comes late changes no result, and a
finished shard always counts in full.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ethnos_sim.experiments.plans.plan import Shard

#: Seconds between two counts of a worker, and between two looks at their files.
SECONDS_A_COUNT = 0.5


class Teller(Protocol):
    """What a worker tells its counts to; packed with its work."""

    def tell(self, shard: str, games: int) -> None:
        """Say how many games of a shard were played so far."""


@dataclass(frozen=True, slots=True)
class FileTeller:
    """Tells through a file a shard in a folder, for workers of the same machine."""

    folder: str

    def tell(self, shard: str, games: int) -> None:
        """Write the count; a folder that is gone belongs to a sweep that has ended."""
        with contextlib.suppress(OSError):
            (Path(self.folder) / shard.replace("/", ",")).write_text(str(games), encoding="ascii")


@dataclass(frozen=True, slots=True)
class TopicTeller:
    """Tells through a topic of the dask scheduler that a worker belongs to."""

    topic: str

    def tell(self, shard: str, games: int) -> None:
        """Send the count."""
        from distributed import get_worker

        get_worker().log_event(self.topic, [shard, games])


def telling(teller: Teller | None, shard: Shard) -> Callable[[int], None]:
    """What to call with each number of games just played of a shard."""
    played = 0
    told = time.monotonic()

    def count(games: int) -> None:
        nonlocal played, told
        played += games
        now = time.monotonic()
        if teller is not None and now - told >= SECONDS_A_COUNT:
            told = now
            teller.tell(shard.path, played)

    return count


class Tally:
    """Turns counts of shards into numbers of games just played; called from any thread."""

    def __init__(self, on_games: Callable[[int], None]) -> None:
        """Begin with no games; `on_games` is told of each step."""
        self._on_games = on_games
        self._counted: dict[str, int] = {}
        self._one_at_a_time = threading.Lock()

    def count(self, shard: str, games: int) -> None:
        """So many games of a shard were played; fewer than before are those played again."""
        with self._one_at_a_time:
            step = games - self._counted.get(shard, 0)
            if step > 0:
                self._counted[shard] = games
                self._on_games(step)

    def hear(self, event: tuple[Any, Any]) -> None:
        """Take what a `TopicTeller` sent, as dask hands it over: with a time."""
        shard, games = event[1]
        self.count(shard, games)

    @contextlib.contextmanager
    def watching(self, folder: Path) -> Iterator[None]:
        """Look at the files of a `FileTeller` while the body runs."""
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
