"""Faults, and the spoiling of inputs at random, in the same way in every run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from faults.ground import Ground

SEED = 20_261


@dataclass(frozen=True)
class Fault:
    """One attack on the program.

    `strike` makes the attack on its own ground, and asserts what must hold after it; the ground
    asserts what must hold after every attack (see `Ground`). `kind` and `name` describe the fault.
    `short` faults are part of every test run.
    """

    kind: str
    name: str
    strike: Callable[[Ground], None]
    short: bool = False

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


@dataclass(frozen=True, repr=False)
class Spoiling:
    """Edits of bytes: the kind, the place as a part of the whole, and the bytes."""

    edits: tuple[tuple[str, float, bytes], ...]

    def __repr__(self) -> str:
        """The edits, with long pieces shortened."""
        edits = [f"{how} at {at:g} {more[:30]!r}" for how, at, more in self.edits]
        return f"Spoiling({'; '.join(edits)})"

    def of(self, content: bytes) -> bytes:
        """The content after all edits, made one after another."""
        for how, part, more in self.edits:
            at = int(part * len(content))
            after = {"insert": at, "replace": at + len(more), "cut": len(content)}.get(how, at + 1)
            if how == "double":
                content = content[:at] + content[at : at + 200] * 2 + content[at + 200 :]
            else:
                content = content[:at] + (b"" if how == "cut" else more) + content[after:]
        return content


#: Pieces that often break parsers and programs.
PIECES = (
    b"[" * 3000, b'{"a":' * 3000, b"9" * 5000, b"-1", b"0", b"0.5", b"1e400", b"NaN", b"Infinity",
    b"18446744073709551616", b"null", b"true", b'""', b"[]", b"{}", b"../../x", b"/dev/zero",
    b"\x00", b"\xff\xfe", b"\r\n", b"\n", "١٢".encode(), b"\x1b[2J", b'"', b",", b"}", b"]", b"=",
)  # fmt: skip

SPOILING = st.lists(
    st.tuples(
        st.sampled_from(["insert", "replace", "cut", "double", "drop"]),
        st.floats(0, 1, exclude_max=True),
        st.one_of(st.sampled_from(PIECES), st.binary(min_size=1, max_size=4)),
    ),
    min_size=1,
    max_size=3,
).map(lambda edits: Spoiling(tuple(edits)))


def spoil(path: Path, content: bytes, inputs: int, tried: Callable[[], object]) -> None:
    """Call `tried` with a file spoiled in `inputs` ways, drawn by hypothesis with a fixed seed."""

    @seed(SEED)
    @settings(
        max_examples=inputs,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(SPOILING)
    def attempt(spoiling: Spoiling) -> None:
        path.write_bytes(spoiling.of(content))
        tried()

    attempt()
