"""Every block of the documents is run when the site is built, or its page says why it is not."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path

import click
import pytest

from ethnos_sim.main import command_line

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def blocks() -> list:
    """All blocks of all pages, as `docs/execute.py` finds them."""
    place = importlib.util.spec_from_file_location("execute_documents", DOCS / "execute.py")
    execute = sys.modules[place.name] = importlib.util.module_from_spec(place)
    place.loader.exec_module(execute)
    return [block for page in execute.pages() for block in execute.blocks_of(page)]


def test_a_block_is_run_or_saved_or_has_a_reason_why_not(blocks: list) -> None:
    silent = [b.place for b in blocks if not (b.shell.strip() or b.file or b.left_out)]
    assert silent == []


def test_most_blocks_are_run(blocks: list) -> None:
    done = [block for block in blocks if block.shell.strip() or block.file]
    assert len(done) > 0.7 * len(blocks)


def test_no_command_of_a_document_has_an_option_that_is_not_there(blocks: list) -> None:
    """Also where it is not run, and as it is shown, not as it is run."""
    shown = [
        (block.place, words)
        for block in blocks
        if block.language == "sh"
        for line in block.shown.replace("\\\n", " ").splitlines()
        if (words := shlex.split(line, comments=True))[:1] == ["ethnos-sim"]
    ]
    assert len(shown) > 80
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
