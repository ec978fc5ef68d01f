"""What keeps a strategy from changing the game: it cannot write to what it is shown.

Compiled code can write wherever it can read, and no look at its source finds every way to do so.
So the compiler is asked whether a strategy only reads its view (`compilation.only_reads`). One of
which that is not proven is shown a copy, and a copy that comes back changed stops the game. Nor can
it lift its restrictions, which stand in its own record. The package's own strategies are held by
tests and are asked directly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ethnos_sim.simulator import compilation
from ethnos_sim.simulator.failures import Misdeed
from ethnos_sim.simulator.records import UNANSWERED
from ethnos_sim.simulator.user_code.showing import are_equal, copied


class ChangedView(Misdeed):
    """A strategy's code wrote to its view."""

    def __str__(self) -> str:
        """What happened."""
        return "the code writes to the view, which is for reading"


def sparing(decide: Any) -> Callable[..., None]:
    """A function for the engine that asks a strategy's compiled `decide(view, move, own)`."""

    def ask(view: Any, move: Any, own: Any) -> None:
        never_leads = own.never_leads
        prefers_leading = own.prefers_leading
        restrictions = own.restrictions
        filter_address = own.filter_address
        decide(view, move, own)
        own.never_leads = never_leads
        own.prefers_leading = prefers_leading
        own.restrictions = restrictions
        own.filter_address = filter_address

    return ask


def guarding(decide: Any) -> Callable[..., None]:
    """As `sparing`, for a strategy that is shown a copy of the view."""

    def ask(view: Any, move: Any, own: Any) -> None:
        shown = copied(view)
        decide(shown, move, own)
        if not are_equal(view, shown):
            move.kind = UNANSWERED
            raise ChangedView

    return sparing(compilation.kernel(ask))
