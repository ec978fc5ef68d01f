"""Link compiled helpers into their callers, and optimise them there."""

from __future__ import annotations

from typing import Any, ClassVar

from llvmlite.binding import Linkage, parse_assembly, parse_bitcode
from numba.core.codegen import JITCodeLibrary


class HelperLibrary(JITCodeLibrary):
    """A helper's code, which is linked into its callers and gets no machine code of its own.

    It is optimised only in the final caller, not again at every level in between.
    """

    #: The `id` of each of this package's compiled helpers. Code that passes one helper to another
    #: helper embeds this address. The embedded address is never read, so the code may be cached.
    helper_ids: ClassVar[set[int]] = set()

    _dynamic_globals: list[str]

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        named = {name: int(name.rpartition(".")[2], 16) for name in self._dynamic_globals}
        self._dynamic_globals = [name for name in named if named[name] not in self.helper_ids]
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """The helper's bitcode, which `restored_library` reads; numba would store object code."""
        serialised: tuple[str, str, bytes] = self.serialize_using_bitcode()
        return serialised


def is_helper_code(serialised: tuple[str, str, bytes]) -> bool:
    """Whether serialised code belongs to a helper."""
    return serialised[1] == "bitcode"


def restored_library(codegen: Any, serialised: tuple[str, str, bytes]) -> HelperLibrary:
    """A helper's code, restored from what another run serialised."""
    name, _, bitcode = serialised
    library: HelperLibrary = codegen.create_library(name)
    library.__class__ = HelperLibrary
    library._final_module = parse_bitcode(bitcode)
    library._finalize_final_module()
    return library


def hide_callees(module: Any) -> None:
    """Let only code of this module call the helpers that are linked into it.

    The helpers become `private`. If they were `internal`, LLVM's linker would let later code call
    them by their names.
    """
    for function in module.functions:
        if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
            function.linkage = Linkage.private


class EntryLibrary(JITCodeLibrary):
    """The code of a function together with its callees, which no other code calls.

    The optimiser can prove and remove more, arguments included, if it knows all callers of a
    function.
    """

    #: The bitcode before it is optimised for this machine; code for other machines is made from it.
    bitcode: bytes | None = None

    def _optimize_final_module(self) -> None:
        self.bitcode = self._final_module.as_bitcode()
        hide_callees(self._final_module)
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """A module of empty functions with the same names; no other code links this library."""
        names = [
            function.name
            for function in self._final_module.functions
            if not function.is_declaration and function.linkage != Linkage.private
        ]
        bodies = [f'define void @"{name}"() {{ ret void }}' for name in names]
        return parse_assembly("\n".join(bodies))
