"""Pages that show texts from users: folders, sweeps, editions and clans may have any name."""

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from ethnos_sim import strategies
from faults.fault import Fault
from faults.ground import Ground

WEIGHTS = Path(strategies.__file__).parent / "weights" / "learned.npz"

#: Names that would do something if a page did not escape them.
NAMES = {
    "a script": "<script>alert(1)</script>",
    "an image that fails": '"><img src=x onerror=alert(1)>',
    "an end of a script": "</script><script>alert(2)</script>",
    "a comment": "<!--",
    "an entity": "&lt;b&gt;&#x3c;script&#x3e;",
    "a formula": "=HYPERLINK(1)",
    "a link of Markdown": "[a](javascript:alert(1))",
    "another place": "<meta http-equiv=refresh content='0;url=x'><base href=x>",
    "a pattern": "$& $1 $` {{ 7 * 7 }} {% raw %}",
    "letters from right to left": "\u202egnp.lmth",
    "signs of a terminal": "a\x1b[2Jb",
    "two hundred signs": "a" * 200,
}

SPEC = """
name = {name}
games = 60
players = [2]
clan_sets = {{ sample = 1 }}
line_ups = [["random"]]
"""


class _Elements(HTMLParser):
    """Counts a page's scripts, and collects other tags and attributes that can run or load code."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.doing: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        leads_away = tag == "meta" and ("http-equiv", "refresh") in attrs
        loads = tag in ("iframe", "object", "embed", "base", "img")
        self.doing += [tag] if loads or leads_away else []
        self.doing += [name for name, value in attrs if name.startswith("on")]
        self.doing += [str(value) for _, value in attrs if re.match(r"\s*javascript:", value or "")]


def elements(page: Path) -> tuple[int, list[str]]:
    elements = _Elements()
    elements.feed(page.read_text(encoding="utf-8"))
    return elements.scripts, elements.doing


def _sweep(ground: Ground, name: str, folder: Path) -> Path:
    """Make the page of a sweep that has this name, in this folder."""
    spec, page = ground.inside / "named.toml", ground.inside / "page.html"
    spec.write_text(SPEC.format(name=json.dumps(name)), encoding="utf-8")
    assert ground.run("sweep", spec, "--out", folder, "--quiet").code in (0, 2)
    assert ground.run("report", folder, "--out", page).code in (0, 2)
    return page


def _game(ground: Ground, folder: Path) -> Path:
    """Make the page of a game of a player with weights in this folder."""
    page = ground.inside / "page.html"
    folder.mkdir(exist_ok=True)
    shutil.copy(WEIGHTS, folder / "w.npz")
    player = f"learned:weights={folder.name}/w.npz,greedy"
    ground.run("play", "--players", "2", "--strategies", player, "--out", page)
    return page


#: What may have a name that a page shows: a function that makes the page, given the name.
NAMED: dict[str, Callable[[Ground, str], Path]] = {
    "a folder": lambda ground, name: _sweep(ground, "plain", _folder(ground, name)),
    "a sweep": lambda ground, name: _sweep(ground, name, ground.inside / "data"),
    "weights in a folder": lambda ground, name: _game(ground, _folder(ground, name)),
}


def _folder(ground: Ground, name: str) -> Path:
    """The folder with this name."""
    return ground.inside / name.replace("/", "_")


def named(name: str, what: str) -> Callable[[Ground], None]:
    """Something has this name; the page that shows it has the same elements as a plain name's."""

    def strike(ground: Ground) -> None:
        page = NAMED[what](ground, "plain")
        plain = elements(page)
        page.unlink()
        shutil.rmtree(ground.inside / "data", ignore_errors=True)
        NAMED[what](ground, name)
        if not page.exists():  # the name was refused with a sentence
            return
        assert elements(page) == plain
        if page.with_suffix(".csv").exists():
            cells = page.with_suffix(".csv").read_text("utf-8").split(",")
            assert not any(cell.startswith("=HYPERLINK") for cell in cells)

    return strike


FAULTS = [
    Fault("page", f"{what} named as {kind}", named(name, what), short=kind == "a script")
    for what in NAMED
    for kind, name in NAMES.items()
]
