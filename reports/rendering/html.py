"""The document as one self-contained HTML page.

Style and script stand in the page, and its own policy keeps a browser from loading anything or from
running any other script, whatever a name on the page may hold.
"""

from __future__ import annotations

from pathlib import Path

from ethnos_sim.reports.rendering.document import Document
from ethnos_sim.reports.rendering.scripts import as_data, content_policy, joined

TEMPLATES = Path(__file__).parent / "templates"


def as_html(document: Document, tables_folder: str) -> str:
    """Render the page; everything but figures, style and script is escaped by the template engine.

    Args:
        document: the page.
        tables_folder: name of the folder beside the page that holds the stored tables.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["kind"] = lambda block, name: type(block).__name__ == name
    style = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    script = joined(TEMPLATES / "page.js")
    page = environment.get_template("page.html.j2").render(
        document=document,
        style=Markup(style),
        script=Markup(script),
        policy=content_policy(script),
        figure=Markup,
        tables_folder=tables_folder,
        choices=Markup(as_data(document.choices)) if document.choices else "",
    )
    return page.strip() + "\n"
