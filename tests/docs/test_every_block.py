"""Every code block of the documents runs when the site is built, or its page says why not."""

import importlib
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from commands import command_line

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def execute() -> Iterator[ModuleType]:
    """The program that runs the documents."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        yield importlib.import_module("execute")


@pytest.fixture(scope="module")
def blocks(execute: ModuleType) -> list:
    """All code blocks of all pages, found by `docs/execute.py`."""
    return [block for page in execute.pages() for block in execute.blocks_of(page)]


PAGE = """
```sh
ethnos-sim rules show second > "$PLACE"
ethnos-sim rules show ninth 2>> shown || echo $? >> shown
```

```python
shown = open("shown").read()
assert "bear.on_take" in shown and shown.endswith("2\\n"), shown
raise SystemExit(7)
```
"""


def test_a_block_runs_in_the_pages_folder_and_its_exit_code_is_told(
    execute: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.setenv("PLACE", "shown")
    said = [said for part in execute.parts_of(page) for _, _, said in execute.execute(part)]
    assert said == ["", "exit code 7\n"]


def test_a_code_block_is_run_or_saved_or_gives_a_reason(blocks: list) -> None:
    silent = [b.place for b in blocks if not (b.shell.strip() or b.file or b.left_out)]
    assert silent == []


def test_most_blocks_are_run(blocks: list) -> None:
    done = [block for block in blocks if block.shell.strip() or block.file]
    assert len(done) > 0.7 * len(blocks)


def test_no_command_in_a_document_has_an_unknown_option(blocks: list) -> None:
    """This holds for commands that are not run too, and for the text that readers see."""
    shown = [
        (block.place, words)
        for block in blocks
        if block.language == "sh"
        for line in block.shown.replace("\\\n", " ").splitlines()
        if (words := shlex.split(line, comments=True))[:1] == ["ethnos-sim"]
    ]
    assert len(shown) > 50
    for place, words in shown:
        context = click.Context(command_line, **command_line.context_settings)
        command: click.Command | None = command_line
        rest = words[1:]
        try:
            while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
                _, command, rest = command.resolve_command(context, rest)
            assert command is not None
            command.make_parser(click.Context(command, context)).parse_args(rest)
        except click.ClickException as error:
            pytest.fail(f"{place}: {shlex.join(words)}: {error.format_message()}")
