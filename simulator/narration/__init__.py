"""Narrate a trace as text in the edition's words, for people who know Ethnos.

These are pure functions from the trace object (docs/trace.md) to lines. No game is played here,
so the text is exactly what was recorded.
"""

from ethnos_sim.simulator.narration.narrate import narrate

__all__ = ["narrate"]
