"""The scripts of pages: modules that stand in files of their own, joined into one for a page.

A page opens from disk, where a browser loads no module from another file, so what a page needs is
put into it. Each file is an ES module that tools check and node runs; joined, they share one scope,
in which a name may be declared once.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.\.?/[\w/.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|class)\b)", re.MULTILINE)


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


def content_policy(script: str) -> str:
    """A page's content security policy: its own style and this script, and nothing else."""
    told = b64encode(sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src 'unsafe-inline'; script-src 'sha256-{told}'"
    )


def as_data(value: Any) -> str:
    """JSON that may stand in a page: nothing in it ends the element or begins another."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028")
