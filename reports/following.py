"""The sections of a page that are about one kind of table, and so follow what its reader chooses.

They are the same for every choice: a page made of nothing but the chosen table's games has them
too. So texts, figures and verdicts follow by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ethnos_sim.reports.rendering.document import Panel, Panels, Section
from ethnos_sim.reports.sections.better import ways
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sections.clans import clans
from ethnos_sim.reports.sections.headline import headline
from ethnos_sim.reports.sections.presence import presence
from ethnos_sim.reports.sections.seats import seats
from ethnos_sim.reports.sections.shape import shape


def clans_of(chapters: Sequence[Chapter]) -> list[Section]:
    """The first screen, and what leading each clan is worth."""
    return [headline(chapters), *clans(chapters)]


def games_of(chapters: Sequence[Chapter]) -> list[Section]:
    """What ordinary games tell, in which nobody is restricted: ways, presence, seats, the shape."""
    played = [chapter for chapter in chapters if chapter.players]
    if not played:
        return []
    deck = panels("presence", played, presence)
    return [ways(played), *([deck] if deck else []), seats(played), *shape(played)]


def panels(
    key: str, chapters: Sequence[Chapter], write: Callable[[Chapter], Section | None]
) -> Section | None:
    """One topic from what each setting has to say of it; None where none has anything."""
    found = [(chapter, section) for chapter in chapters if (section := write(chapter))]
    if not found:
        return None
    parts = tuple(Panel(chapter.title, section.blocks) for chapter, section in found)
    return Section(key, found[0][1].title, (Panels(parts),))
