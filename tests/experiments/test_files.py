"""Files are read within limits and written as a whole."""

import errno
import os
from collections.abc import Iterator

import pytest
from inside.experiments.storage import write_files, write_output, write_synced_file
from inside.simulator.utilities import cached_until_changed, read_file

from ethnos_sim.simulator import Failed


def test_a_file_is_read_up_to_a_size(tmp_path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, limit=5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_file(path, limit=4)


def test_a_file_is_read_again_only_after_it_changed(tmp_path) -> None:
    path, other, read = tmp_path / "file", tmp_path / "other", []

    @cached_until_changed
    def content(path) -> bytes:
        read.append(path)
        return read_file(path)

    for text in (b"12345", b"54321", b"123456"):
        other.write_bytes(text)
        other.replace(path)
        assert content(path) == content(path) == text
    assert len(read) == 3


def test_devices_and_pipes_are_not_read(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    endless = tmp_path / "endless"
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless, tmp_path):
        with pytest.raises(OSError, match=r"no regular file|directory"):
            read_file(path)


def test_files_that_belong_together_are_all_written_or_none(tmp_path) -> None:
    write_files([(tmp_path / "a", b"old"), (tmp_path / "below" / "b", b"old")])

    def full() -> Iterator[bytes]:
        yield b"new"
        raise OSError(28, "No space left on device")

    with pytest.raises(Failed, match="No space left"):
        write_files([(tmp_path / "a", b"new"), (tmp_path / "below" / "b", full())])
    files = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {"a": b"old", "b": b"old"}


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_file_that_cannot_be_written_is_reported_and_the_old_one_left_whole(
    tmp_path, monkeypatch, step
) -> None:
    """The disk is broken, or another program holds the file open, as on Windows."""

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "broken")

    path = tmp_path / "a" / "page.html"
    write_synced_file(path, b"before")
    monkeypatch.setattr(os, step, broken)
    with pytest.raises(Failed, match="cannot be written: broken"):
        write_synced_file(path, b"after")
    assert [(file.name, file.read_bytes()) for file in path.parent.iterdir()] == [
        ("page.html", b"before")
    ]


def test_output_is_written_into_a_pipe_and_through_a_link(tmp_path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_output(pipe, [b"one ", b"two"])
    assert (os.read(reader, 100), pipe.is_fifo()) == (b"one two", True)
    os.close(reader)
    link.symlink_to(tmp_path / "file")
    write_output(link, b"text")
    assert (link.is_symlink(), (tmp_path / "file").read_bytes()) == (True, b"text")
