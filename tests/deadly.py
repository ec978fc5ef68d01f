"""A shard that kills the process that plays it, for engines that start workers of their own.

Workers import this module by name, so it lies where tests' helpers lie.
"""

from __future__ import annotations

import os
import signal

from ethnos_sim.experiments.plan import Shard
from ethnos_sim.experiments.playing import PlayedShard
from ethnos_sim.experiments.workers import play_packed

#: The shard that begins here is deadly.
DEADLY_ROUND = 0


def play_or_die(packed: bytes, shard: Shard) -> PlayedShard:
    """Play a shard as any worker does, but for the deadly one of the smallest partition."""
    if shard.first_round == DEADLY_ROUND and shard.partition.players == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_packed(packed, shard)
