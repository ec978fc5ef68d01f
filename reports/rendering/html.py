"""The document as one self-contained HTML page."""

from __future__ import annotations

from pathlib import Path

from ethnos_sim.reports.rendering.document import Document
from ethnos_sim.reports.rendering.scripts import rendered

TEMPLATES = Path(__file__).parent / "templates"


def as_html(document: Document, tables_folder: str) -> str:
    """Render the page; everything but figures, style and script is escaped by the template engine.

    Args:
        document: the page.
        tables_folder: name of the folder beside the page that holds the stored tables.
    """
    from markupsafe import Markup

    return rendered(
        TEMPLATES,
        "page",
        {"choices": document.choices},
        document=document,
        figure=Markup,
        tables_folder=tables_folder,
    )
