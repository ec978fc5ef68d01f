"""What programs read of the output: ASCII, numbers as numbers, and streams that are closed."""

import json
import math
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run

PLAYED = "--strategies greedy --games 1000 --jobs 1"
TABLE = f"table --clans bear,fox,koi,owl,deer,tiger {PLAYED}"


def tables_in(out: str) -> list[list[dict[str, str]]]:
    """The rows of each tab-separated table, by heading."""
    tables = []
    for block in out.split("# ")[1:]:
        lines = [line.split("\t") for line in block.split("\n\n")[0].splitlines()[1:]]
        tables.append([dict(zip(lines[0], cells, strict=True)) for cells in lines[1:]])
    return tables


def is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (TABLE, ["Worth", "Leads", "Leads low", "Edge", "Edge high", "Mean", "Mean low"]),
        (f"compare second+bear.on_take=2 {PLAYED}", ["First", "Second"]),
        ("match --strategies greedy,random --games 40", ["win share", "95 % low", "to par"]),
        ("sweep seats --dry-run", ["players", "clan sets", "games"]),
    ],
)
def test_piped_output_is_ascii_and_its_numbers_are_numbers(capsys, words, numbers) -> None:
    assert run(*shlex.split(words)) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    cells = [
        (heading, cell)
        for rows in tables_in(out)
        for row in rows
        for heading, cell in row.items()
        if heading in numbers
    ]
    assert {heading for heading, _ in cells} == set(numbers)
    assert [cell for cell in cells if not is_number(cell[1])] == []


def test_a_table_as_json_has_the_numbers_of_the_printed_table(capsys) -> None:
    run(*shlex.split(TABLE))
    clans = tables_in(capsys.readouterr().out)[0]
    run(*shlex.split(TABLE), "--json")
    record = json.loads(capsys.readouterr().out)
    leads = {row["name"]: row for row in record["numbers"] if row["measure"] == "usage"}
    assert record["clans"] == sorted(leads)
    for row in clans:
        number = leads[row["Clan"].lower()]
        for heading, key in (("Leads", "value"), ("Leads low", "low"), ("Leads high", "high")):
            assert float(row[heading]) == pytest.approx(number[key], rel=1e-9)


def in_shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which $E is the program."""
    program = shlex.join([sys.executable, "-m", "ethnos_sim"])
    return subprocess.run(
        ["sh", "-c", line.replace("$E", program)],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("$E rules show second 2>&-", 0, "bear.on_take", ""),
        ("$E match --strategies greedy --games 4 2>&-", 0, "win share", ""),
        ("$E rules show third 2>&-", 2, "", ""),
        ("$E rules show second >&-", 1, "", "standard output is closed"),
        ("mkdir a; cd a; rmdir ../a; $E rules show second", 1, "", "folder was deleted"),
        ("mkdir a; cd a; rmdir ../a; $E match --edition ../x.toml", 1, "", "folder was deleted"),
        ("mkdir a; cd a; rmdir ../a; $E sweep seats --out ../new", 1, "", "folder was deleted"),
    ],
)
def test_a_closed_stream_or_a_deleted_folder_is_no_riddle(tmp_path, line, code, out, err) -> None:
    ended = in_shell(line, tmp_path)
    assert ended.returncode == code
    assert out in ended.stdout
    assert err in ended.stderr
    assert bool(ended.stderr) == bool(err) or code == 0


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_console_without_a_sign_gets_ascii_in_its_place(tmp_path, encoding) -> None:
    line = "$E rules diff first second; $E rules sources second"
    ended = in_shell(line, tmp_path, PYTHONIOENCODING=encoding)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\\u" not in ended.stdout
    assert ended.stdout.isascii()


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "[bold]a[/]", "a\u202eb\N{MINUS SIGN}", "<b>&amp;"])
def test_what_users_call_things_stays_text(capsys, tmp_path, monkeypatch, name) -> None:
    """A variant is called as its file is."""
    monkeypatch.chdir(tmp_path)
    folder, _, _ = name.rpartition("/")
    Path(folder or ".").mkdir(exist_ok=True)
    Path(f"{name}.toml").write_text("[set]\nhand_limit = 9\n", encoding="utf-8")
    words = ("compare", f"second+{name}.toml", *shlex.split(PLAYED))
    assert run(*words, "--out", "page.html") == 0
    said = capsys.readouterr()
    escaped = name.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    assert escaped.replace("\N{MINUS SIGN}", "-") in said.out
    assert escaped in said.err
    assert not {"\x1b", "\u202e"} & {*said.out, *said.err}
    assert "<b>" not in Path("page.html").read_text(encoding="utf-8").partition("<main")[2]
