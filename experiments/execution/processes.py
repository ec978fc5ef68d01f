"""The engine of processes: workers on this machine that loky (of joblib) starts and watches.

When a worker dies, loky gives up all workers. Unfinished shards are played again. The shards that
were in play are then played one at a time, so that a shard that kills its worker can be named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from joblib.externals.loky.process_executor import BrokenProcessPool

from ethnos_sim.experiments.execution.engines import Finish
from ethnos_sim.experiments.execution.playing import PackedShard, Tables
from ethnos_sim.experiments.execution.threads import OnGames
from ethnos_sim.experiments.execution.workers import pack, play_elsewhere, play_packed
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.simulator.utilities.errors import Failed, text_of
from ethnos_sim.simulator.utilities.processes import worker_processes

#: The sweep fails if a shard that is played alone kills this many workers.
MOST_DEATHS = 2


@dataclass(frozen=True)
class Processes:
    """The engine that plays in processes of this machine; only this process writes files.

    `strategy_files` are loaded by every worker; `player` plays a shard there.
    """

    jobs: int
    strategy_files: Sequence[Path] = ()
    player: Callable[[bytes, Shard], PackedShard] = play_packed

    def check(self, plan: Plan) -> None:
        """Check that processes can share semaphores on this system.

        Raises:
            Failed: processes cannot share semaphores, as on a system without /dev/shm.
        """
        try:
            get_context("spawn").Lock()
        except (OSError, ImportError) as error:
            raise Failed(
                "the engine of processes needs semaphores that they share (/dev/shm), and there "
                f"are none ({text_of(error)}); play with --engine threads"
            ) from error

    def play(
        self, plan: Plan, tables: Tables, shards: Sequence[Shard], finish: Finish, on_games: OnGames
    ) -> None:
        """As `Engine.play`.

        Raises:
            Failed: a shard kills every worker that plays it.
        """
        self.check(plan)

        def done(shard: Shard, played: PackedShard) -> None:
            finish(shard, played)
            on_games(plan.games_of(shard))

        packed = pack(plan, self.strategy_files, parent=os.getpid())
        left = dict.fromkeys(shards)
        while left:
            for shard in self._play(packed, left, done):
                self._play_alone(packed, shard, done)
                del left[shard]

    def _play(
        self, packed: bytes, left: dict[Shard, None], done: Callable[[Shard, PackedShard], None]
    ) -> list[Shard]:
        """Play shards until all are done or a worker dies; remove finished ones from `left`.

        Returns:
            The shards that may have been in play when a worker died.
        """
        begun: list[Shard] = []
        with worker_processes(min(self.jobs, len(left))) as executor:

            def send(shard: Shard) -> Future[PackedShard]:
                begun.append(shard)
                sent: Future[PackedShard] = executor.submit(self.player, packed, shard)
                return sent

            try:
                play_elsewhere(send, left, done, 2 * self.jobs)
            except BrokenProcessPool:
                return [shard for shard in begun if shard in left]
        return []

    def _play_alone(
        self, packed: bytes, shard: Shard, done: Callable[[Shard, PackedShard], None]
    ) -> None:
        """Play a shard alone, so that it is to blame if the worker dies."""
        for _ in range(MOST_DEATHS):
            if not self._play(packed, {shard: None}, done):
                return
        raise Failed(
            f"the shard '{shard.path}' killed {MOST_DEATHS} worker processes that played nothing "
            "else; is there enough memory, and are all strategies sound?"
        )
