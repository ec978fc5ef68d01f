"""How compiled code is put together: helpers are linked into what calls them, optimised there."""

from __future__ import annotations

from typing import Any, ClassVar

from llvmlite.binding import Linkage, parse_assembly, parse_bitcode
from numba.core.codegen import JITCodeLibrary


class Linked(JITCodeLibrary):
    """Code to link into what calls it, of which no machine code is made by itself.

    It is optimised where it is linked last: a helper of helpers would be optimised anew in each.
    """

    #: The addresses of this package's helpers in Python. Where one is passed on to another, code
    #: names its address and never looks there, so that the code may be kept.
    helpers: ClassVar[set[int]] = set()

    _dynamic_globals: list[str]

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        named = {name: int(name.rpartition(".")[2], 16) for name in self._dynamic_globals}
        self._dynamic_globals = [name for name in named if named[name] not in self.helpers]
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What `linked_again` makes the same code of: there is no object code."""
        made: tuple[str, str, bytes] = self.serialize_using_bitcode()
        return made


def is_linked(made: tuple[str, str, bytes]) -> bool:
    """Whether serialised code is that of a helper."""
    return made[1] == "bitcode"


def linked_again(codegen: Any, made: tuple[str, str, bytes]) -> Linked:
    """The code of a helper that another run serialised."""
    name, _, bitcode = made
    library: Linked = codegen.create_library(name)
    library.__class__ = Linked
    library._final_module = parse_bitcode(bitcode)
    library._finalize_final_module()
    return library


class Whole(JITCodeLibrary):
    """Code with all that it calls, which nobody else calls: what was linked in is its own.

    Of functions that are its own alone the optimiser proves more and leaves out more, arguments
    too. No other code may find them by name, which it would where they are `internal`: LLVM's
    linker lets a function that is compiled later call any of the same name that is there.
    """

    #: All of it before it is optimised for this machine: code for others is made of it.
    bitcode: bytes | None = None

    def _optimize_final_module(self) -> None:
        self.bitcode = self._final_module.as_bitcode()
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = Linkage.private
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """The names of its functions are all that is kept beside machine code: nothing links it."""
        names = [
            function.name
            for function in self._final_module.functions
            if not function.is_declaration and function.linkage != Linkage.private
        ]
        bodies = [f'define void @"{name}"() {{ ret void }}' for name in names]
        return parse_assembly("\n".join(bodies))
