"""The document as one self-contained HTML page."""

from __future__ import annotations

from pathlib import Path

from ethnos_sim.reports.document import Document

TEMPLATES = Path(__file__).parent / "templates"


def as_html(document: Document, tables_folder: str) -> str:
    """Render the page; everything but figures and style is escaped by the template engine.

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
    page = environment.get_template("page.html.j2").render(
        document=document, style=Markup(style), figure=Markup, tables_folder=tables_folder
    )
    return page.strip() + "\n"
