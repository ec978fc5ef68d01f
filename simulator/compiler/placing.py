"""WebAssembly objects laid beside each other in one memory and one table of functions.

An object's data begin at address 0 and its entries at index 1 of the table, wherever it is used; a
linker would move them. Here every number that names such a place is raised by where the object is
to lie. The object lists them, as the "Tool Conventions" of WebAssembly's linkers say. What only a
linker reads is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: The sections that are read here, by their numbers; custom ones have 0.
CUSTOM, IMPORTS, ELEMENTS, CODE, DATA = 0, 2, 9, 10, 11

#: Relocations of places in memory and in the table: how the number is written; and those with an
#: addend, which are all that need to be told apart to read the list.
_LEB, _INT32 = "leb", "int32"
_IN_MEMORY = {3: _LEB, 4: _LEB, 5: _INT32}
_IN_TABLE = {1: _LEB, 2: _INT32}
_WITH_ADDEND = {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 24, 25}

_BEFORE_ALL = b"\0asm\1\0\0\0"

#: The first index of the table, which holds nothing: 0 is no function.
FIRST = 1

#: The stack fills the beginning of memory, down to address 0, so that a page stops where it is too
#: small; its lowest bytes say where the heap stands.
STACK = 1 << 20
LINE = 64


class Placed(NamedTuple):
    """A module, its entry's index in the table, the next free one, and where its data lie."""

    module: bytes
    entry: int
    following: int
    begin: int
    end: int


class _Reader:
    """Reads numbers and pieces off bytes."""

    def __init__(self, content: bytes, at: int = 0) -> None:
        self.content, self.at = content, at

    def number(self) -> int:
        """An unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def piece(self, size: int) -> bytes:
        """So many bytes."""
        self.at += size
        return self.content[self.at - size : self.at]

    @property
    def more(self) -> bool:
        """Whether anything is left."""
        return self.at < len(self.content)


def number(value: int) -> bytes:
    """A number of at most 31 bits as a signed LEB128, which as an unsigned one may read as less."""
    written = bytearray()
    while True:
        byte, value = value & 127, value >> 7
        if value == 0 and not byte & 64:
            written.append(byte)
            return bytes(written)
        written.append(byte | 128)


def size_of(value: int) -> bytes:
    """An unsigned LEB128."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)


def _sections(module: bytes) -> list[tuple[int, bytearray]]:
    """The sections of a module, by number, in order."""
    reader = _Reader(module, len(_BEFORE_ALL))
    found = []
    while reader.more:
        kind = reader.piece(1)[0]
        found.append((kind, bytearray(reader.piece(reader.number()))))
    return found


def _relocations(sections: list[tuple[int, bytearray]]) -> Iterator[tuple[int, int, int]]:
    """What is to be moved: the place of a section in the list, a type, and bytes from its begin."""
    for kind, content in sections:
        reader = _Reader(bytes(content))
        if kind != CUSTOM or not reader.piece(reader.number()).startswith(b"reloc."):
            continue
        section = reader.number()
        for _ in range(reader.number()):
            kind = reader.piece(1)[0]
            offset = reader.number()
            reader.number()
            if kind in _WITH_ADDEND:
                reader.number()
            yield section, kind, offset


def _raise(content: bytearray, offset: int, how: str, by: int) -> None:
    """Raise the number that stands somewhere; a LEB128 of an object is five bytes long."""
    if how == _INT32:
        value = int.from_bytes(content[offset : offset + 4], "little") + by
        content[offset : offset + 4] = value.to_bytes(4, "little")
        return
    value = _Reader(bytes(content[offset : offset + 5])).number() + by
    for place in range(5):
        content[offset + place] = (value >> 7 * place & 127) | (128 if place < 4 else 0)


def _moved_entries(content: bytes, index: int) -> tuple[bytes, int]:
    """The section of elements, which fills the table from another index on, and how many it has."""
    reader = _Reader(content)
    assert reader.piece(1) == b"\1", "an object has one list of entries"
    assert reader.number() == 0, "which goes to the first table"
    assert reader.piece(1) == b"\x41", "at a constant index"
    reader.number()
    rest = content[reader.at :]
    assert reader.piece(1) == b"\x0b"
    return b"\1\0\x41" + number(index) + rest, reader.number()


def _moved_data(content: bytes, begin: int) -> tuple[bytes, int]:
    """The section of data at another place, and the address behind the last byte."""
    reader = _Reader(content)
    count = reader.number()
    moved, end = bytearray(size_of(count)), begin
    for _ in range(count):
        assert reader.number() == 0, "data lie in the first memory"
        assert reader.piece(1) == b"\x41", "at a constant address"
        at = begin + reader.number()
        assert reader.piece(1) == b"\x0b"
        piece = reader.piece(reader.number())
        moved += b"\0\x41" + number(at) + b"\x0b" + size_of(len(piece)) + piece
        end = max(end, at + len(piece))
    return bytes(moved), end


def _placed(code: bytes, index: int, begin: int) -> Placed:
    """An object whose functions begin at an index of the table, its data at an address.

    Beside the entry the table has functions whose addresses its code takes. That of the entry alone
    stands in data, in the array `entries`.
    """
    sections = _sections(code)
    entries = []
    for section, kind, offset in _relocations(sections):
        content = sections[section][1]
        if kind in _IN_MEMORY:
            _raise(content, offset, _IN_MEMORY[kind], begin)
        elif kind in _IN_TABLE:
            _raise(content, offset, _IN_TABLE[kind], index - FIRST)
            if _IN_TABLE[kind] == _INT32:
                entries.append(int.from_bytes(content[offset : offset + 4], "little"))
    (entry,) = entries
    module, end, functions = bytearray(_BEFORE_ALL), begin, 0
    for kind, content in sections:
        whole = bytes(content)
        if kind == CUSTOM:
            continue
        if kind == ELEMENTS:
            whole, functions = _moved_entries(whole, index)
        elif kind == DATA:
            whole, end = _moved_data(whole, begin)
        module += bytes([kind]) + size_of(len(whole)) + whole
    return Placed(bytes(module), entry, index + functions, begin, end)


def placed(codes: Iterable[bytes]) -> list[Placed]:
    """Objects with one entry each (`webassembly.code_of`), laid one behind another."""
    modules: list[Placed] = []
    index, begin = FIRST, STACK
    for code in codes:
        modules.append(_placed(code, index, begin))
        index, begin = modules[-1].following, -(-modules[-1].end // LINE) * LINE
    return modules
