"""Place several WebAssembly objects in one memory and one table of functions.

The data of each object begin at address 0, and its functions at index 1 of the table; normally a
linker relocates them. Here every address and index in an object is raised by the offset at which
the object is placed. The object's relocation sections say where these numbers are, as in the
"Tool Conventions" of WebAssembly's linkers. Sections that only a linker reads are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: The numbers of the kinds of sections that this module reads; 0 stands for a custom section.
CUSTOM, ELEMENTS, DATA = 0, 9, 11

#: The encodings of numbers that are relocated.
_LEB, _INT32 = "leb", "int32"

#: The encoding of the number that a relocation moves, by the relocation's type. The number is an
#: address in memory (`_IN_MEMORY`) or an index of the table (`_IN_TABLE`). Relocations of the types
#: `_WITH_ADDEND` store one more number, which is skipped.
_IN_MEMORY = {3: _LEB, 4: _LEB, 5: _INT32}
_IN_TABLE = {1: _LEB, 2: _INT32}
_WITH_ADDEND = {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 24, 25}

_HEADER = b"\0asm\1\0\0\0"

#: The first index of an object's functions in the table. Index 0 stays empty for the null pointer.
FIRST_INDEX = 1

#: The stack grows down to address 0 from here, so that an overflow stops the page. Its lowest bytes
#: hold the bounds of the heap.
STACK_TOP = 1 << 20

#: The data of each module begin at a multiple of this.
ALIGNMENT = 64


class PlacedModule(NamedTuple):
    """A module, its entry's index in the table, the next free index, and the range of its data."""

    module: bytes
    entry: int
    next_index: int
    begin: int
    end: int


class _ByteReader:
    """Reads numbers and byte strings from an object's bytes, one after another."""

    def __init__(self, content: bytes, position: int = 0) -> None:
        self.content, self.position = content, position

    def read_leb128(self) -> int:
        """Read a number that is encoded as an unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.content[self.position]
            self.position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def read_bytes(self, size: int) -> bytes:
        """Read the next `size` bytes."""
        self.position += size
        return self.content[self.position - size : self.position]

    @property
    def has_more(self) -> bool:
        """Whether bytes are left to read."""
        return self.position < len(self.content)


def signed_leb128(value: int) -> bytes:
    """Encode a number of at most 31 bits as a signed LEB128, as WebAssembly's constants are."""
    encoded = bytearray()
    while True:
        byte, value = value & 127, value >> 7
        if value == 0 and not byte & 64:
            encoded.append(byte)
            return bytes(encoded)
        encoded.append(byte | 128)


def unsigned_leb128(value: int) -> bytes:
    """Encode a number as an unsigned LEB128, as WebAssembly's sizes are."""
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _sections(module: bytes) -> list[tuple[int, bytearray]]:
    """The sections of a module in order: number and content."""
    reader = _ByteReader(module, len(_HEADER))
    sections = []
    while reader.has_more:
        kind = reader.read_bytes(1)[0]
        sections.append((kind, bytearray(reader.read_bytes(reader.read_leb128()))))
    return sections


def _relocations(sections: list[tuple[int, bytearray]]) -> Iterator[tuple[int, int, int]]:
    """The relocations: a section's position in the list, a type, and an offset in the section."""
    for kind, content in sections:
        reader = _ByteReader(bytes(content))
        if kind != CUSTOM or not reader.read_bytes(reader.read_leb128()).startswith(b"reloc."):
            continue
        section = reader.read_leb128()
        for _ in range(reader.read_leb128()):
            kind = reader.read_bytes(1)[0]
            offset = reader.read_leb128()
            reader.read_leb128()
            if kind in _WITH_ADDEND:
                reader.read_leb128()
            yield section, kind, offset


def _add_to_number(content: bytearray, offset: int, encoding: str, distance: int) -> None:
    """Add `distance` to the number at `offset`; a LEB128 that is relocated has five bytes."""
    if encoding == _INT32:
        value = int.from_bytes(content[offset : offset + 4], "little") + distance
        content[offset : offset + 4] = value.to_bytes(4, "little")
        return
    value = _ByteReader(bytes(content[offset : offset + 5])).read_leb128() + distance
    for i in range(5):
        content[offset + i] = (value >> 7 * i & 127) | (128 if i < 4 else 0)


def _moved_elements(content: bytes, index: int) -> tuple[bytes, int]:
    """Place the section of elements at `index` of the table; return it and its element count."""
    reader = _ByteReader(content)
    assert reader.read_bytes(1) == b"\1", "an object has one list of entries"
    assert reader.read_leb128() == 0, "entries go to the first table"
    assert reader.read_bytes(1) == b"\x41", "entries begin at a constant index"
    reader.read_leb128()
    rest = content[reader.position :]
    assert reader.read_bytes(1) == b"\x0b"
    return b"\1\0\x41" + signed_leb128(index) + rest, reader.read_leb128()


def _moved_data(content: bytes, begin: int) -> tuple[bytes, int]:
    """Place the section of data at address `begin`; return it and the address after its end."""
    reader = _ByteReader(content)
    count = reader.read_leb128()
    moved, end = bytearray(unsigned_leb128(count)), begin
    for _ in range(count):
        assert reader.read_leb128() == 0, "data lie in the first memory"
        assert reader.read_bytes(1) == b"\x41", "data begin at a constant address"
        at = begin + reader.read_leb128()
        assert reader.read_bytes(1) == b"\x0b"
        piece = reader.read_bytes(reader.read_leb128())
        moved += b"\0\x41" + signed_leb128(at) + b"\x0b" + unsigned_leb128(len(piece)) + piece
        end = max(end, at + len(piece))
    return bytes(moved), end


def _place_object(object_content: bytes, index: int, begin: int) -> PlacedModule:
    """Place an object: its functions from `index` of the table on, its data from `begin` on.

    The table holds the entry and every function whose address the object's code uses. The object's
    data hold one index, the index of the entry, in the array `entries`.
    """
    sections = _sections(object_content)
    entries = []
    for section, kind, offset in _relocations(sections):
        content = sections[section][1]
        if kind in _IN_MEMORY:
            _add_to_number(content, offset, _IN_MEMORY[kind], begin)
        elif kind in _IN_TABLE:
            _add_to_number(content, offset, _IN_TABLE[kind], index - FIRST_INDEX)
            if _IN_TABLE[kind] == _INT32:
                entries.append(int.from_bytes(content[offset : offset + 4], "little"))
    (entry,) = entries
    module, end, functions = bytearray(_HEADER), begin, 0
    for kind, content in sections:
        whole = bytes(content)
        if kind == CUSTOM:
            continue
        if kind == ELEMENTS:
            whole, functions = _moved_elements(whole, index)
        elif kind == DATA:
            whole, end = _moved_data(whole, begin)
        module += bytes([kind]) + unsigned_leb128(len(whole)) + whole
    return PlacedModule(bytes(module), entry, index + functions, begin, end)


def place_objects(objects: Iterable[bytes]) -> list[PlacedModule]:
    """Place objects one after another; each has one entry (`webassembly_object`)."""
    modules: list[PlacedModule] = []
    index, begin = FIRST_INDEX, STACK_TOP
    for content in objects:
        modules.append(_place_object(content, index, begin))
        index, begin = modules[-1].next_index, -(-modules[-1].end // ALIGNMENT) * ALIGNMENT
    return modules
