"""Pages that show texts from users: folders, sweeps, editions and clans may have any name."""

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


def _quoted(name: str) -> str:
    """A text as a basic string of TOML."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\x1b", "\\u001b") + '"'


def _page(ground: Ground, name: str, folder: Path) -> Path:
    """Make the page of a sweep that has this name, in this folder."""
    spec, page = ground.inside / "named.toml", ground.inside / "page.html"
    spec.write_text(SPEC.format(name=_quoted(name)), encoding="utf-8")
    assert ground.run("sweep", spec, "--out", folder, "--quiet").code in (0, 2)
    assert ground.run("report", folder, "--out", page).code in (0, 2)
    return page


def named(name: str, what: str) -> Callable[[Ground], None]:
    """A sweep or its folder has this name; its page has the same elements as with a plain name."""

    def strike(ground: Ground) -> None:
        plain = elements(_page(ground, "plain", ground.inside / "plain"))
        (ground.inside / "page.html").unlink()
        of_folder = name.replace("/", "_") if what == "folder" else "data"
        of_sweep = name if what == "sweep" else "plain"
        page = _page(ground, of_sweep, ground.inside / of_folder)
        if page.exists():  # else the name was refused with a sentence
            assert elements(page) == plain
            cells = page.with_suffix(".csv").read_text("utf-8").split(",")
            assert not any(cell.startswith("=HYPERLINK") for cell in cells)

    return strike


def _game(ground: Ground, folder: Path) -> Path:
    """Make the page of a game of a player with weights in this folder."""
    page = ground.inside / "game.html"
    folder.mkdir(exist_ok=True)
    shutil.copy(WEIGHTS, folder / "w.npz")
    player = f"learned:weights={folder.name}/w.npz,greedy"
    ground.run("play", "--players", "2", "--strategies", player, "--out", page)
    return page


def weighed(name: str) -> Callable[[Ground], None]:
    """A game's page names a player by a folder with this name, and has the usual elements."""

    def strike(ground: Ground) -> None:
        plain = elements(_game(ground, ground.inside / "plain"))
        (ground.inside / "game.html").unlink()
        page = _game(ground, ground.inside / name.replace("/", "_"))
        if page.exists():  # else the name was refused with a sentence
            assert elements(page) == plain

    return strike


FAULTS = [
    *(
        Fault("page", f"a {what} named as {kind}", named(name, what), short=kind == "a script")
        for what in ("folder", "sweep")
        for kind, name in NAMES.items()
    ),
    *(
        Fault(
            "page", f"weights in a folder named as {kind}", weighed(name), short=kind == "a comment"
        )
        for kind, name in NAMES.items()
    ),
]
