"""A shard that kills the process that plays it, for the workers of a cluster.

Workers import this module by its name, so it lies at the top of the tests.
"""

import os
import signal

from inside.experiments.execution import PackedShard, play_packed
from inside.experiments.plans import Shard

#: The folder of the partition whose first shard is deadly.
DEADLY = "edition=second/players=2/mode=standard"


def play_or_die(packed: bytes, shard: Shard) -> PackedShard:
    """Play a shard like any worker, or die at the deadly one."""
    if shard.first_round == 0 and shard.partition.path == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_packed(packed, shard)
