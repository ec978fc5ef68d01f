"""Run every command and code block of the documents, page by page, as a reader would.

    python docs/execute.py [PAGE ...] [--jobs N]

Each page runs from top to bottom in an empty folder of its own. bash runs shell blocks, and
indented blocks that begin with a command. Python runs Python blocks.
HTML comments in a page, which readers do not see, say how the next block is run:

    <!-- file: NAME -->            save the block as this file; `+NAME` appends it to the file
    <!-- before: COMMAND -->       run this command before the block
    <!-- after: COMMAND -->        run this command after the block
    <!-- in small: OLD => NEW -->  replace OLD by NEW, since the block as shown takes minutes
    <!-- not run: REASON -->       do not run the block
    <!-- not run "TEXT": REASON -->  do not run the lines that contain this text
    <!-- new folder -->            run the rest of the page in another empty folder

A block of TOML, YAML, SQL or text needs `file`, or `not run` with the reason.
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

ROOT = Path(__file__).resolve().parents[1]

#: An indented block that begins with one of these words is run by bash.
COMMANDS = ("cd", "dask", "ethnos-sim", "git", "make", "pip", "python")

#: The languages of blocks that are run or saved; other blocks are ignored.
LANGUAGES = ("sh", "python", "toml", "yaml", "sql", "text")

#: Where blocks find commands: first beside the Python that runs this program.
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))

#: The time limit of a block.
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
    """A block of a page, and the commands that are run for it.

    `before` and `shell` are commands that run before and after the block is saved in `file` (with a
    `+` before the name if it is appended). `left_out` has the reasons why the block, or a part of
    it, does not run. `part` is the number of `new folder` marks before it.
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
        """The block's file and line."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """The documents that are run; building the site runs the notebooks."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of a page with commands, code or files, in order."""
    text = page.read_text(encoding="utf-8")
    marks: list[tuple[str, str, str]] = []
    part = 0
    for piece in _PIECE.finditer(text):
        if piece["mark"]:
            part += piece["mark"] == NEW_FOLDER
            marks += _MARK.findall(piece["mark"])
            continue
        shown = piece["fenced"]
        language = piece["language"]
        if piece["indented"]:
            shown = re.sub(r"^ {4}", "", piece["indented"], flags=re.MULTILINE)
            language = "sh" if shown.split()[0] in COMMANDS else ""
        if language in LANGUAGES:
            line = text.count("\n", 0, piece.start()) + 1
            yield replace(_block(page, line, language, shown, marks), part=part)
        marks = []


def _block(
    page: Path, line: int, language: str, shown: str, marks: list[tuple[str, str, str]]
) -> Block:
    """A block, prepared as the marks before it say."""
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
            kept = [row for row in run.splitlines(keepends=True) if about and about not in row]
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
    """The blocks of a page, in one list for each folder in which they run."""
    for _, blocks in itertools.groupby(blocks_of(page), lambda block: block.part):
        yield list(blocks)


def execute(part: list[Block]) -> list[tuple[Block, float, str]]:
    """Run blocks in an empty folder; return each block with its seconds and its error, or ""."""
    done = []
    with tempfile.TemporaryDirectory() as folder:
        for block in part:
            started = time.perf_counter()
            output = _run(block, Path(folder))
            done.append((block, time.perf_counter() - started, output))
    return done


def _commands(part: list[Block]) -> int:
    """The number of commands of blocks, a rough measure of their time."""
    return sum((block.before + block.shell).count("ethnos-sim ") for block in part)


def _run(block: Block, folder: Path) -> str:
    """Save or run a block; return "" on success, else the exit code and the end of the output."""
    if not block.file:
        return _shell(block.before + block.shell, folder)
    output = _shell(block.before, folder)
    with (folder / block.file.removeprefix("+")).open(
        "a" if block.file.startswith("+") else "w", encoding="utf-8"
    ) as file:
        file.write(block.shown)
    return output or _shell(block.shell, folder)


def _shell(commands: str, folder: Path) -> str:
    """Run commands in bash; return "" on success, else the exit code and the end of the output."""
    if not commands.strip():
        return ""
    try:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=folder,
            env={**os.environ, "DOCS": str(ROOT / "docs"), "PATH": PATH},
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
    """Run the pages, and print what failed, what was not run and why, and the slowest blocks."""
    parser = argparse.ArgumentParser(description="Run what the documents say.")
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chosen = [page.resolve() for page in options.pages] or pages()
    started = time.perf_counter()
    # Start the longest parts first, so that no thread begins a long part when others are done.
    parts = sorted(
        (part for page in chosen for part in parts_of(page)), key=_commands, reverse=True
    )
    with ThreadPoolExecutor(options.jobs) as pool:
        done = [result for part in pool.map(execute, parts) for result in part]
    failed = [(block, output) for block, _, output in done if output]
    for block, output in failed:
        print(f"{block.place} failed: {output}", file=sys.stderr)
    for block, _, _ in done:
        for reason in block.left_out:
            print(f"{block.place} not run: {reason}")
    for block, seconds, _ in sorted(done, key=lambda result: -result[1])[:5]:
        print(f"{block.place} took {seconds:.1f} s")
    blocks = [block for block, _, _ in done]
    counts = {
        "blocks": len(blocks),
        "run": sum(bool(block.shell.strip()) for block in blocks),
        "in small": sum(block.small for block in blocks),
        "files": sum(bool(block.file) for block in blocks),
        "not run, in part or whole": sum(bool(block.left_out) for block in blocks),
    }
    summary = ", ".join(f"{count} {what}" for what, count in counts.items())
    print(f"{len(chosen)} pages: {summary}; {time.perf_counter() - started:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
