"""The independent referee: replays a game trace from the rules alone.

It knows the game only from the written rules and the trace format. It imports nothing from the
program that it checks, so an error in the kernel cannot hide behind the same error here.

`replay(trace)` checks one game, step by step, and returns a `Summary`. The first step that breaks a
rule raises a `Fault`, which names the game, the event, the rule, and the expected and actual
values.
"""

from referee.events import Fault
from referee.replay import replay
from referee.summary import Summary

__all__ = ["Fault", "Summary", "replay"]
