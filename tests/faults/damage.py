"""Files of a finished sweep that are damaged, missing, swapped or replaced by other things."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ethnos_sim.experiments import sealed
from faults.fault import Fault
from faults.ground import Ground

Change = Callable[[Path, Path], None]
"""Changes a file; the second path is a file outside the folder that must stay as it is."""


def bytes_changed(change: Callable[[bytes], bytes]) -> Change:
    """Change the content of a file."""
    return lambda path, outside: path.write_bytes(change(path.read_bytes()))


def replaced(make: Callable[[Path, Path], object]) -> Change:
    """Replace a file by something else."""

    def change(path: Path, outside: Path) -> None:
        path.unlink()
        make(path, outside)

    return change


#: Changes to a file, by name; the short ones are tried in every test run.
CHANGES: dict[str, Change] = {
    "missing": lambda path, outside: path.unlink(),
    "cut off": bytes_changed(lambda content: content[:-9]),
    "empty": bytes_changed(lambda content: b""),
    "one bit flipped": bytes_changed(
        lambda content: content[:-30] + bytes([content[-30] ^ 1]) + content[-29:]
    ),
    "first bytes changed": bytes_changed(lambda content: b"!!!!" + content[4:]),
    "longer": bytes_changed(lambda content: content + b"more"),
    "zeros": bytes_changed(lambda content: bytes(len(content))),
    "a text": bytes_changed(lambda content: b"Dear reader,\n"),
    "a folder": replaced(lambda path, outside: path.mkdir()),
    "a pipe": replaced(lambda path, outside: os.mkfifo(path)),
    "a link to nothing": replaced(lambda path, outside: path.symlink_to(path.parent / "nothing")),
    "a link to itself": replaced(lambda path, outside: path.symlink_to(path)),
    "a link to an endless device": replaced(lambda path, outside: path.symlink_to("/dev/zero")),
    "a link to a file outside": replaced(lambda path, outside: path.symlink_to(outside)),
}


def shard_file(table: str, partition: str) -> Callable[[Path], Path]:
    """The last file of a table in a partition."""
    return lambda folder: max((folder / table / partition).glob("*.parquet"))


PARTITIONS = {
    "of the 2nd edition": "edition=second/players=4/mode=standard",
    "of the 1st edition": "edition=first/players=2/mode=standard",
    "of solo": "edition=second/players=1/mode=solo-hard",
}


def damaged(
    find: Callable[[Path], Path], change: Change, codes: tuple[int, ...] = (1,)
) -> Callable[[Ground], None]:
    """Change a file of a sweep: `verify` reports it, and the same command plays the lost games."""

    def strike(ground: Ground) -> None:
        folder = ground.sweep()
        change(find(folder), ground.outside / "games.parquet")
        done = ground.run("sweep", "--verify", "--out", folder)
        assert done.code in codes, done
        ground.holds_everything(folder)

    return strike


def put_back(path: Path, whole: bytes) -> None:
    """Put a file back, whatever is at its path."""
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.write_bytes(whole)


def plan_damaged(change: Change) -> Callable[[Ground], None]:
    """Change the plan: every command refuses the folder, and restoring the plan restores all."""

    def strike(ground: Ground) -> None:
        folder = ground.sweep()
        path = folder / "plan.json"
        whole = path.read_bytes()
        change(path, ground.outside / "plan.json")
        page = ground.inside / "page.html"
        for words in (["sweep", "--verify", "--out", folder], ["report", folder, "--out", page]):
            assert ground.run(*words).code == 2
        again = ground.run("sweep", ground.spec, "--out", folder, "--quiet")
        assert again.code == 2, again
        put_back(path, whole)
        ground.holds_everything(folder)
        assert not (folder / "set-aside").exists()

    return strike


def plan_edited(*keys: str | int, to: object) -> Change:
    """Change a value in the plan, as somebody who edits the file would."""

    def change(path: Path, outside: Path) -> None:
        content = json.loads(path.read_text(encoding="utf-8"))
        edited(content, keys, to)
        path.write_text(
            json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n", encoding="utf-8"
        )

    return change


PLAN_EDITS: dict[str, Change] = {
    "edition": plan_edited("editions", 0, "edition", to="third"),
    "values": plan_edited("editions", 0, "values", "hand_limit", to=9),
    "rules": plan_edited("editions", 0, "rules_id", to="0" * 16),
    "name": plan_edited("name", to="Another"),
    "version": plan_edited("version", to="9.9.9"),
    "rounds": plan_edited("rounds", "edition=first/players=2/mode=standard", to=1),
    "rounds below nothing": plan_edited("rounds", "edition=first/players=2/mode=standard", to=-1),
    "rounds of a text": plan_edited("rounds", "edition=first/players=2/mode=standard", to="x"),
    "shard sizes": plan_edited("shard_games", "edition=first/players=2/mode=standard", to=9),
    "seed": plan_edited("seed", to=6),
    "format": plan_edited("format", to=1),
    "plan_id": plan_edited("plan_id", to="0123456789abcdef"),
    "a folder": plan_edited("cells", "partitions", 0, to="../../x"),
    "a folder of more players": plan_edited(
        "cells", "partitions", 0, to="edition=first/players=7/mode=standard"
    ),
    "a folder that is none": plan_edited("cells", "partitions", 0, to=10**30),
    "clan": plan_edited("cells", "clan_sets", 0, 1, 0, to="wolf"),
    "strategy": plan_edited("cells", "line_ups", 0, 0, 0, to="x" * 10**6),
    "rotations": plan_edited("cells", "line_ups", 0, 1, to=0),
    "weight": plan_edited("cells", "line_ups", 0, 3, to=10**18),
    "cell of no line-up": plan_edited("cells", "cells", 0, 2, to=10**6),
    "cell of too few places": plan_edited("cells", "cells", 0, to=[0]),
    "kernel": plan_edited("kernel", to="0" * 16),
}


def manifest_changed(change: Callable[[list[dict]], None]) -> Change:
    """Change lines of the manifest, together with their hashes."""

    def changed(path: Path, outside: Path) -> None:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        change(lines)
        path.write_text("".join(map(sealed, lines)), encoding="utf-8")

    return changed


def edited(content: Any, keys: tuple[str | int, ...], to: object) -> None:
    """Change the value at `keys` in parsed JSON."""
    *way, last = keys
    for key in way:
        content = content[key]
    assert content.get(last) != to if isinstance(content, dict) else content[last] != to
    content[last] = to


def line_edited(*keys: str, to: object) -> Change:
    """Change a value in the first line, together with the hash of the line."""
    return manifest_changed(lambda lines: edited(lines[0], keys, to))


def only_edited(*keys: str, to: object) -> Change:
    """Change a value in the first line, but not its hash, as somebody who edits it would."""

    def change(path: Path, outside: Path) -> None:
        first, *rest = path.read_text(encoding="utf-8").splitlines()
        content = json.loads(first)
        edited(content, keys, to)
        path.write_text("\n".join([json.dumps(content), *rest, ""]), encoding="utf-8")

    return change


MANIFEST_EDITS: dict[str, Change] = {
    "the first line again at the end": bytes_changed(
        lambda content: content + content[: content.index(b"\n") + 1]
    ),
    "every line twice": bytes_changed(lambda content: content * 2),
    "a line in part": bytes_changed(lambda content: content + content[:90]),
    "a line of nonsense": bytes_changed(lambda content: b"\xff{[\n" + content),
    "a line of deep nesting": bytes_changed(lambda content: content + b"[" * 10**5 + b"\n"),
    "a line of a large number": bytes_changed(lambda content: content + b"9" * 5000 + b"\n"),
    "an empty line": bytes_changed(lambda content: b"\n" + content),
    "no first line": bytes_changed(lambda content: content[content.index(b"\n") + 1 :]),
    "a path that leads out": line_edited("games", "path", to="../outside/games.parquet"),
    "a path of its own": line_edited("path", to="/etc/passwd"),
    "a partition that leads out": line_edited("shard", "partition", to="../../outside"),
    "a partition of no plan": line_edited(
        "shard", "partition", to="edition=third/players=4/mode=standard"
    ),
    "a partition that is none": line_edited("shard", "partition", to=7),
    "a shard with a path": line_edited("shard", "path", to="/etc/passwd"),
    "another plan": line_edited("plan_id", to="0" * 16),
    "bytes of a text": line_edited("games", "bytes", to="x"),
    "bytes of a list": line_edited("games", "bytes", to=[]),
    "bytes as nobody sealed them": only_edited("games", "bytes", to=1),
    "bytes below nothing": line_edited("seats", "bytes", to=-5),
    "bytes beyond all": line_edited("seats", "bytes", to=10**40),
    "other bytes": line_edited("seats", "bytes", to=12),
    "half a byte": line_edited("seats", "bytes", to=0.5),
    "another hash": line_edited("games", "sha256", to="0" * 64),
    "no hash": line_edited("games", "sha256", to=None),
    "rows that no line says": line_edited("games", "rows", to=1),
    "a table that is none": line_edited("games", to=7),
    "other rounds": line_edited("shard", "rounds", to=10**9),
    "rounds below nothing": line_edited("shard", "first_round", to=-1),
    "rounds beyond all": line_edited("shard", "first_round", to=10**12),
    "two shards with each other's files": manifest_changed(
        lambda lines: lines[0].update(games=lines[1]["games"])
    ),
}


def below(name: str) -> Callable[[Path], Path]:
    """A file of the folder, by its name."""
    return lambda folder: folder / name


def swapped(folder: Path) -> Path:
    """Swap two files of a table; return the first."""
    one, other = sorted((folder / "seats").rglob("*.parquet"))[:2]
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    return one


def stray(folder: Path) -> Path:
    """Put a file that belongs to no shard beside a shard's file."""
    path = min((folder / "games").rglob("*.parquet"))
    other = path.with_name("rounds-99999998-99999999.parquet")
    other.write_bytes(path.read_bytes())
    return other


def _all() -> Iterator[Fault]:
    for table in ("games", "seats"):
        for where, partition in PARTITIONS.items():
            for name, change in CHANGES.items():
                said = f"a table of {table} {where}: {name}"
                often = (table, where) == ("seats", "of solo")
                short = often and name in ("missing", "one bit flipped", "a link to a file outside")
                find = shard_file(table, partition)
                yield Fault("damage", said, damaged(find, change), short=short)
    for file in ("manifest.jsonl", "cells.parquet", "entries.parquet"):
        for name, change in CHANGES.items():
            # A table of cells may mean the same after a bit of its description is flipped.
            codes = (0, 1) if (file, name) in SAYS_THE_SAME else (1,)
            # An unreadable manifest stops every command until it is removed.
            ends_all = file == "manifest.jsonl" and name in ENDS_ALL
            strike = damaged(below(file), change, codes)
            yield Fault(
                "damage", f"{file}: {name}", manifest_unreadable(change) if ends_all else strike
            )
    for name, change in MANIFEST_EDITS.items():
        short = name in ("the first line again at the end", "a path that leads out")
        said = f"manifest.jsonl edited: {name}"
        yield Fault("damage", said, damaged(below("manifest.jsonl"), change), short=short)
    for name, change in CHANGES.items():
        yield Fault("damage", f"plan.json: {name}", plan_damaged(change))
    for name, change in PLAN_EDITS.items():
        short = name in ("name", "a folder")
        yield Fault("damage", f"plan.json edited: {name}", plan_damaged(change), short=short)
    yield Fault("damage", "two tables swapped", damaged(swapped, lambda path, outside: None))
    yield Fault("damage", "a copy by hard links", copied_by_links, short=True)
    yield Fault("damage", "a name that is no text", named_in_no_utf_8)
    yield Fault("damage", "a file of nobody", damaged(stray, lambda path, outside: None))


def copied_by_links(ground: Ground) -> None:
    """A copy of a folder by hard links can be continued, and the folder itself stays the same."""
    folder, copy = ground.sweep(), ground.inside / "copy"
    shutil.copytree(folder, copy, copy_function=os.link)
    before = (folder / "manifest.jsonl").read_bytes()
    words = ("sweep", ground.spec, "--out", copy, "--games", 2000, "--quiet")
    assert ground.run(*words).code == 0
    assert (folder / "manifest.jsonl").read_bytes() == before
    assert len((copy / "manifest.jsonl").read_bytes()) > len(before)
    ground.holds_everything(folder)


def named_in_no_utf_8(ground: Ground) -> None:
    """A folder whose name is not valid UTF-8 is verified, reported and continued like any other."""
    folder = ground.sweep().rename(os.fsdecode(bytes(ground.inside) + b"/\xff"))
    assert ground.run("report", folder).code == 0
    assert (folder / "report.html").is_file()
    ground.holds_everything(folder)


SAYS_THE_SAME = {(file, "one bit flipped") for file in ("cells.parquet", "entries.parquet")}

#: Things in the manifest's place that cannot be read.
ENDS_ALL = {"a folder", "a pipe", "a link to itself", "a link to an endless device"}


def manifest_unreadable(change: Change) -> Callable[[Ground], None]:
    """Replace the manifest by something unreadable: commands say so, and nothing is lost."""

    def strike(ground: Ground) -> None:
        folder = ground.sweep()
        path = folder / "manifest.jsonl"
        whole = path.read_bytes()
        change(path, ground.outside / "games.parquet")
        assert ground.run("sweep", "--verify", "--out", folder).code == 1
        assert ground.run("sweep", ground.spec, "--out", folder, "--quiet").code == 1
        put_back(path, whole)
        ground.holds_everything(folder)

    return strike


FAULTS = list(_all())
