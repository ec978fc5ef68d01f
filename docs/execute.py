"""Run what the documents say: every command and all code, page by page, as a reader would.

    python docs/execute.py [PAGE ...] [--jobs N]

Each page is read from top to bottom in an empty folder of its own. Shell blocks, and indented ones
that begin with a command, are run by bash; Python blocks by Python, and both are started by
`warm.py`. Comments in a page, which no reader sees, say what the next block needs:

    <!-- file: NAME -->            it is a file, saved under this name; `+NAME` is added to it
    <!-- before: COMMAND -->       this runs first
    <!-- after: COMMAND -->        this runs afterwards
    <!-- in small: OLD => NEW -->  it runs with this changed, because it takes minutes as it stands
    <!-- not run: REASON -->       it does not run
    <!-- not run "TEXT": REASON -->  lines that hold this text do not run
    <!-- new folder -->            what follows begins in an empty folder, as a page does

Whatever a page has of TOML, YAML or SQL has to be a file or say why it is none.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import warm

ROOT = Path(__file__).resolve().parents[1]

#: An indented block is shell where it begins with one of these.
COMMANDS = ("cd", "dask", "ethnos-sim", "git", "make", "pip", "python")

#: What is run, and what has to be a file or say why it is not.
LANGUAGES = ("sh", "python", "toml", "yaml", "sql", "text")

#: No block may take longer.
MOST_SECONDS = 600

NEW_FOLDER = "<!-- new folder -->"

_MARK = re.compile(
    r"<!-- (file|before|after|in small|not run)(?: \"(.+?)\")?: (.+?) -->", re.DOTALL
)
_PIECE = re.compile(
    r"(?P<mark><!--.*?-->)|^```(?P<language>\w*)\n(?P<fenced>.*?)^```$"
    r"|(?<=\n\n)(?P<indented>(?: {4}[^\n]+\n(?:\n(?= {4}))?)+)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A block of a page: what is run of it, or why nothing is.

    `before` and `shell` are commands, run before and after it is saved in `file` (`+` before the
    name where it is added); `left_out` says why it, or a part of it, does not run. `part` counts
    the folders that the page began before it.
    """

    page: Path
    line: int
    language: str
    shown: str
    before: str
    shell: str
    file: str
    small: bool
    left_out: tuple[str, ...]
    part: int

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """The documents that have commands or code; notebooks are run by the site itself."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of a page with commands, code or files, in order."""
    text = page.read_text(encoding="utf-8")
    marks: list[tuple[str, str, str]] = []
    part = 0
    for found in _PIECE.finditer(text):
        if found["mark"]:
            part += found["mark"] == NEW_FOLDER
            marks += _MARK.findall(found["mark"])
            continue
        shown = found["fenced"]
        language = found["language"]
        if found["indented"]:
            shown = re.sub(r"^ {4}", "", found["indented"], flags=re.MULTILINE)
            language = "sh" if shown.split()[0] in COMMANDS else ""
        if language in LANGUAGES:
            line = text.count("\n", 0, found.start()) + 1
            yield replace(_block(page, line, language, shown, marks), part=part)
        marks = []


def _block(
    page: Path, line: int, language: str, shown: str, marks: list[tuple[str, str, str]]
) -> Block:
    """A block with what the marks before it say."""
    run, file, small, left_out = shown, "", False, []
    around = {"before": "", "after": ""}
    for kind, about, value in marks:
        if kind in around:
            around[kind] += f"{value}\n"
        elif kind == "file":
            file, run = value, ""
        elif kind == "in small":
            small = True
            for pair in value.split("; "):
                old, new = pair.split(" => ")
                if old not in run:
                    raise SystemExit(f"{page.name}:{line}: '{old}' is not in the block")
                run = run.replace(old, new)
        else:
            left_out.append(value)
            kept = [each for each in run.splitlines(keepends=True) if about and about not in each]
            if about and "".join(kept) == run:
                raise SystemExit(f"{page.name}:{line}: '{about}' is not in the block")
            run = "".join(kept)
    if not file and not left_out and language not in ("sh", "python"):
        raise SystemExit(f"{page.name}:{line}: say which file this is, or why it is none")
    if language == "python" and run:
        run = f"python - <<'END OF CODE'\n{run}END OF CODE\n"
    shell = run + around["after"]
    before = around["before"]
    return Block(page, line, language, shown, before, shell, file, small, tuple(left_out), 0)


def parts_of(page: Path) -> Iterator[list[Block]]:
    """The blocks of a page, together those that share a folder."""
    for _, blocks in itertools.groupby(blocks_of(page), lambda block: block.part):
        yield list(blocks)


def execute(part: list[Block]) -> list[tuple[Block, float, str]]:
    """Run blocks in an empty folder: with each its seconds, and what went wrong."""
    done = []
    with tempfile.TemporaryDirectory() as folder:
        for block in part:
            started = time.perf_counter()
            said = _run(block, Path(folder))
            done.append((block, time.perf_counter() - started, said))
    return done


def _commands(part: list[Block]) -> int:
    """How many commands are run, which tells roughly how long it takes."""
    return sum((block.before + block.shell).count("ethnos-sim ") for block in part)


def _run(block: Block, folder: Path) -> str:
    """Save or run a block; "" where all went well, else the end of what it said."""
    if not block.file:
        return _shell(block.before + block.shell, folder)
    said = _shell(block.before, folder)
    with (folder / block.file.removeprefix("+")).open(
        "a" if block.file.startswith("+") else "w", encoding="utf-8"
    ) as file:
        file.write(block.shown)
    return said or _shell(block.shell, folder)


def _shell(commands: str, folder: Path) -> str:
    """Run commands in bash; "" where all went well, else the end of what they said."""
    if not commands.strip():
        return ""
    try:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=folder,
            env={**os.environ, "DOCS": str(ROOT / "docs")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"took more than {MOST_SECONDS} s"
    return "" if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout[-3000:]}"


def main() -> None:
    """Run the pages and say what was run, what was not and why."""
    parser = argparse.ArgumentParser(description="Run what the documents say.")
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    chosen = [page.resolve() for page in given.pages] or pages()
    started = time.perf_counter()
    # What takes longest comes first, so that no process ends with it.
    parts = sorted(
        (part for page in chosen for part in parts_of(page)), key=_commands, reverse=True
    )
    with warm.commands(), ThreadPoolExecutor(given.jobs) as pool:
        done = [each for part in pool.map(execute, parts) for each in part]
    failed = [(block, said) for block, _, said in done if said]
    for block, said in failed:
        print(f"{block.place} failed: {said}", file=sys.stderr)
    for block, _, _ in done:
        for reason in block.left_out:
            print(f"{block.place} not run: {reason}")
    for block, seconds, _ in sorted(done, key=lambda each: -each[1])[:5]:
        print(f"{block.place} took {seconds:.1f} s")
    blocks = [block for block, _, _ in done]
    counts = {
        "blocks": len(blocks),
        "run": sum(bool(block.shell.strip()) for block in blocks),
        "in small": sum(block.small for block in blocks),
        "files": sum(bool(block.file) for block in blocks),
        "not run, in part or whole": sum(bool(block.left_out) for block in blocks),
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items())
    print(f"{len(chosen)} pages: {told}; {time.perf_counter() - started:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
