"""Files of a finished sweep that are damaged, missing, swapped or edited."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from inside.experiments import sealed_json

from faults.fault import Fault
from faults.ground import Ground

Change = Callable[[Path], object]
"""Changes a file."""


def bytes_changed(change: Callable[[bytes], bytes]) -> Change:
    """Change the content of a file."""
    return lambda path: path.write_bytes(change(path.read_bytes()))


#: The three worst changes to a file, by name.
CHANGES: dict[str, Change] = {
    "missing": Path.unlink,
    "cut off": bytes_changed(lambda content: content[:-9]),
    "one bit flipped": bytes_changed(
        lambda content: content[:-30] + bytes([content[-30] ^ 1]) + content[-29:]
    ),
}


def shard_file(table: str, partition: str) -> Callable[[Path], Path]:
    """The last file of a table in a partition."""
    return lambda folder: max((folder / table / partition).glob("*.parquet"))


def damaged(
    find: Callable[[Path], Path], change: Change, codes: tuple[int, ...] = (1,)
) -> Callable[[Ground], None]:
    """Change a file of a sweep: `verify` reports it, and the same command plays the lost games."""

    def strike(ground: Ground) -> None:
        folder = ground.sweep()
        change(find(folder))
        done = ground.run("sweep", "--verify", "--out", folder)
        assert done.code in codes, done
        ground.holds_everything(folder)

    return strike


def plan_damaged(change: Change) -> Callable[[Ground], None]:
    """Change the plan: every command refuses the folder, and restoring the plan restores all."""

    def strike(ground: Ground) -> None:
        folder = ground.sweep()
        path = folder / "plan.json"
        whole = path.read_bytes()
        change(path)
        page = ground.inside / "page.html"
        for words in (["sweep", "--verify", "--out", folder], ["report", folder, "--out", page]):
            assert ground.run(*words).code == 2
        again = ground.run("sweep", ground.spec, "--out", folder, "--quiet")
        assert again.code == 2, again
        path.write_bytes(whole)
        ground.holds_everything(folder)
        assert not (folder / "set-aside").exists()

    return strike


def edited(*keys: str | int, to: object, seal: bool = False) -> Change:
    """Change a value in the first line of a file; with `seal`, the hash of the line too."""

    def change(path: Path) -> None:
        first, *rest = path.read_text(encoding="utf-8").splitlines()
        content = value = json.loads(first)
        *way, last = keys
        for key in way:
            value = value[key]
        assert value[last] != to
        value[last] = to
        line = sealed_json(content).strip() if seal else json.dumps(content)
        path.write_text("\n".join([line, *rest, ""]), encoding="utf-8")

    return change


PLAN_EDITS: dict[str, Change] = {
    "name": edited("name", to="Another"),
    "a folder": edited("cells", "partitions", 0, to="../../x"),
}
MANIFEST_EDITS: dict[str, Change] = {
    "the first line again at the end": bytes_changed(
        lambda content: content + content[: content.index(b"\n") + 1]
    ),
    "a line of nonsense": bytes_changed(lambda content: b"\xff{[\n" + content),
    "a partition that leads out": edited("shard", "partition", to="../../outside", seal=True),
}


def below(name: str) -> Callable[[Path], Path]:
    """A file of the folder, by its name."""
    return lambda folder: folder / name


def _all() -> Iterator[Fault]:
    for name, change in CHANGES.items():
        seats = damaged(shard_file("seats", "edition=second/players=1/mode=solo-hard"), change)
        yield Fault("damage", f"a table of seats: {name}", seats, short=name != "cut off")
        # A table of cells may mean the same after a bit of its description is flipped.
        codes = (0, 1) if name == "one bit flipped" else (1,)
        yield Fault("damage", f"cells: {name}", damaged(below("cells.parquet"), change, codes))
    for name, change in (CHANGES | MANIFEST_EDITS).items():
        strike = damaged(below("manifest.jsonl"), change)
        yield Fault("damage", f"manifest.jsonl: {name}", strike, short=name in MANIFEST_EDITS)
    for name, change in (CHANGES | PLAN_EDITS).items():
        strike = plan_damaged(change)
        yield Fault("damage", f"plan.json: {name}", strike, short=name in PLAN_EDITS)
    yield Fault("damage", "a name that is no text", named_in_no_utf_8)


def named_in_no_utf_8(ground: Ground) -> None:
    """A folder whose name is not valid UTF-8 is verified, reported and continued like any other."""
    folder = ground.sweep().rename(os.fsdecode(bytes(ground.inside) + b"/\xff"))
    assert ground.run("report", folder).code == 0
    assert (folder / "report.html").is_file()
    ground.holds_everything(folder)


FAULTS = list(_all())
