"""`verify_folder` finds changed and missing files; `tests/faults` tries the kinds of damage."""

from inside.experiments import find_plan, read_manifest, verify_folder


def test_an_untouched_sweep_is_whole(swept, printed) -> None:
    assert verify_folder(swept.folder).faults == ()
    assert f"{swept.plan.games} games, complete" in printed(
        "sweep", "--verify", "--out", swept.folder
    )


def test_a_changed_file_and_an_edited_line_are_named_and_not_counted(copy) -> None:
    first, second, *others = read_manifest(copy, find_plan(copy)).records
    path = copy / first.path("seats")
    content = path.read_bytes()
    path.write_bytes(content[:99] + b"!" + content[100:])
    manifest = copy / "manifest.jsonl"
    lines = manifest.read_text(encoding="utf-8")
    manifest.write_text(lines.replace(second.games.sha256, 64 * "0"), encoding="utf-8")
    verified = verify_folder(copy)
    assert verified.faults == (
        "line 2 of 'manifest.jsonl' was changed: its SHA-256 differs",
        f"'{first.path('seats')}' was changed: its SHA-256 differs",
    )
    assert verified.results.records == tuple(others)


def test_a_sweep_is_verified_while_it_is_written(copy) -> None:
    manifest = copy / "manifest.jsonl"
    *lines, _ = manifest.read_text(encoding="utf-8").splitlines(keepends=True)
    manifest.write_text("".join(lines), encoding="utf-8")
    assert verify_folder(copy).faults == ()
