"""Pages from their templates: style, scripts and data are put into the page.

A page opens from disk, where a browser loads no module from another file. Each script is an ES
module that tools check and node runs; joined, they share one scope, in which a name may be declared
once. The page's own policy keeps a browser from loading anything or from running any other script,
whatever a name on the page may hold.
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

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.\.?/[\w/.]+)";\n', re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|class)\b)", re.MULTILINE)


def templates(folder: Path) -> Environment:
    """The templates of a folder; whatever they are given is escaped unless it is Markup."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["kind"] = lambda block, kind: type(block).__name__ == kind
    return environment


def rendered(
    folder: Path,
    name: str,
    data: Mapping[str, Any],
    *,
    plays: bool = False,
    opens: str = "",
    **content: Any,
) -> str:
    """One self-contained page from `name`.html.j2 of a folder, with `name`.css and `name`.js in it.

    Args:
        folder: where the three are.
        name: what they are called.
        data: what scripts read, by its name in the template; what is empty is left out.
        plays: whether the page has the engine in it (`reports.live`).
        opens: the text of a page that this one opens, whose policy it hands on.
        content: what else the template shows.
    """
    from markupsafe import Markup

    script = joined(folder / f"{name}.js")
    page = (
        templates(folder)
        .get_template(f"{name}.html.j2")
        .render(
            style=Markup((folder / f"{name}.css").read_text(encoding="utf-8")),
            script=Markup(script),
            policy=_content_policy([script, *_SCRIPT.findall(opens)], plays),
            **{key: Markup(_as_data(value)) if value else "" for key, value in data.items()},
            **content,
        )
    )
    return page.strip() + "\n"


def joined(entry: Path) -> str:
    """A module with all that it imports, those that are imported first."""
    found: dict[Path, str] = {}

    def collect(path: Path) -> None:
        if path in found:
            return
        text = path.read_text(encoding="utf-8")
        for imported in _IMPORT.findall(text):
            collect((path.parent / imported).resolve())
        found[path] = _EXPORT.sub("", _IMPORT.sub("", text))

    collect(entry.resolve())
    return "\n" + "\n".join(found.values())


def _content_policy(scripts: Iterable[str], plays: bool) -> str:
    """A page's content security policy: its own style and these scripts, and nothing else.

    A page that plays may run WebAssembly, and workers that it makes itself.
    """
    hashes = (b64encode(sha256(script.encode()).digest()).decode() for script in scripts)
    told = " ".join(f"'sha256-{each}'" for each in hashes)
    more = " 'wasm-unsafe-eval'; worker-src blob:" if plays else ""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src 'unsafe-inline'; script-src {told}{more}"
    )


def _as_data(value: Any) -> str:
    """JSON that may stand in a page: nothing in it ends the element or begins another."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028")


def packed_data(value: Any) -> str:
    """JSON as a page's script unpacks it (`unpackedData`); "" for nothing."""
    return packed(json.dumps(value, separators=(",", ":"))) if value else ""


def packed(text: str | bytes) -> str:
    """What a page's script unpacks (templates/packed.js): compressed, and written in letters."""
    data = text.encode() if isinstance(text, str) else text
    return b64encode(zlib.compress(data, 9)).decode()
