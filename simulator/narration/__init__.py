"""A game as text: what a trace tells, in the edition's own words, for people who know Ethnos.

Pure functions from the trace object (docs/results.md) to lines; no game is played here, so what is
read is exactly what was recorded.
"""

from ethnos_sim.simulator.narration.lines import Line
from ethnos_sim.simulator.narration.narrate import narrate

__all__ = ["Line", "narrate"]
