"""Render pages from templates, with style, scripts and data inside the page.

A page opens from disk, where browsers load no module from another file. So each script is an ES
module, which tools check and node runs, and the modules are joined when a page is written. Joined
modules share one scope, so no two may declare the same name. The page's content policy keeps the
browser from loading anything and from running any other script, even one in a name on the page.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

#: The folder of the template and the style sheet that all pages share.
SHARED = Path(__file__).parent / "templates"

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.\.?/[\w/.]+)";\n', re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)
_COMMENT = re.compile(r"^ */\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|class)\b)", re.MULTILINE)


def template_environment(folder: Path) -> Environment:
    """The Jinja environment for templates in a folder and in SHARED; it escapes all but Markup."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([folder, SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["kind"] = lambda block, kind: type(block).__name__ == kind
    return environment


def render_page(
    folder: Path,
    name: str,
    data: Mapping[str, Any],
    *,
    plays_games: bool = False,
    opened_page: str = "",
    **content: Any,
) -> str:
    """Render a self-contained page from `name`.html.j2, `name`.css and `name`.js.

    The template extends skeleton.html.j2, which writes title, notice, data and script.

    Args:
        folder: the folder of the three files.
        name: the name of the three files, without endings.
        data: data for scripts, by the id of the page's element.
        plays_games: whether the page plays games with the engine (`reports.live`).
        opened_page: the HTML of a page that this one opens; its scripts are allowed too.
        content: the `title`, the `notice` and other values for the template.
    """
    from markupsafe import Markup

    script = join_modules(folder / f"{name}.js")
    styles = (SHARED / "base.css", folder / f"{name}.css")
    page = (
        template_environment(folder)
        .get_template(f"{name}.html.j2")
        .render(
            style=Markup("".join(style.read_text(encoding="utf-8") for style in styles)),
            script=Markup(script),
            policy=_content_policy([script, *_SCRIPT.findall(opened_page)], plays_games),
            data={key: Markup(_script_json(value)) if value else "" for key, value in data.items()},
            **content,
        )
    )
    return page.strip() + "\n"


def join_modules(module: Path) -> str:
    """The text of a module after the modules that it imports, without imports and comments."""
    texts: dict[Path, str] = {}

    def collect(path: Path) -> None:
        if path in texts:
            return
        text = path.read_text(encoding="utf-8")
        for imported in _IMPORT.findall(text):
            collect((path.parent / imported).resolve())
        texts[path] = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))

    collect(module.resolve())
    return "\n" + "\n".join(texts.values())


def _content_policy(scripts: Iterable[str], plays_games: bool) -> str:
    """A content security policy that allows the page's style and these scripts, and nothing else.

    A page that plays games may also run WebAssembly, and workers that it makes itself.
    """
    hashes = (b64encode(sha256(script.encode()).digest()).decode() for script in scripts)
    sources = " ".join(f"'sha256-{digest}'" for digest in hashes)
    engine = " 'wasm-unsafe-eval'; worker-src blob:" if plays_games else ""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src 'unsafe-inline'; script-src {sources}{engine}"
    )


def _script_json(value: Any) -> str:
    """JSON that is safe inside a script element: it cannot end the element or begin another."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028")


def packed_json(value: Any) -> str:
    """A value as packed JSON for a script, which `unpackedData` unpacks; "" for an empty value."""
    return packed_base64(json.dumps(value, separators=(",", ":")).encode()) if value else ""


def packed_base64(data: bytes) -> str:
    """Bytes compressed and then encoded in base64; templates/packed.js unpacks them."""
    return b64encode(zlib.compress(data, 9)).decode()
