"""WebAssembly for pages, made from the same code as machine code.

LLVM writes an object file for `wasm32`, which a browser can instantiate as it is. Parts that only
suit native code are replaced: references are counted without atomic operations, memory comes from
one heap and is freed at the end of a call, and a callback without a result returns nothing.
"""

from __future__ import annotations

import functools
import logging
import re
import time
import zlib
from typing import Any

import llvmlite.binding as llvm
from numba.core.ccallback import CFunc

from ethnos_sim.simulator.compiler import compilation
from ethnos_sim.simulator.compiler.failures import FAULT_SYMBOL
from ethnos_sim.simulator.compiler.identity import code_of_module

log = logging.getLogger("ethnos_sim")


class UnportableCode(Exception):
    """A function that cannot be compiled for a page."""


TRIPLE = "wasm32-unknown-unknown"
FEATURES = ("simd128", "bulk-memory", "bulk-memory-opt", "sign-ext", "nontrapping-fptoint")

#: Addresses in a page's memory. HEAP holds the heap's next free byte, and HEAP_END the heap's end.
HEAP, HEAP_END = 8, 16

#: The replacement of numba's runtime. A block of memory is freed at once only if it is the last
#: block of the heap. When a call returns, all its memory is freed.
_RUNTIME = f"""
declare void @stopped(i32)

define internal ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {{
  %heap = load i32, ptr inttoptr (i32 {HEAP} to ptr)
  %small = trunc i64 %size to i32
  %behind = add i32 %heap, 64
  %with = add i32 %behind, %small
  %rounded = add i32 %with, 63
  %next = and i32 %rounded, -64
  %most = load i32, ptr inttoptr (i32 {HEAP_END} to ptr)
  %room = sub i32 %most, %heap
  %wide = zext i32 %room to i64
  %asked = add i64 %size, 128
  %fits = icmp ult i64 %asked, %wide
  br i1 %fits, label %give, label %stop
stop:
  call void @stopped(i32 -100)
  unreachable
give:
  store i32 %next, ptr inttoptr (i32 {HEAP} to ptr)
  %block = inttoptr i32 %heap to ptr
  %data = inttoptr i32 %behind to ptr
  call void @llvm.memset.p0.i32(ptr %block, i8 0, i32 64, i1 false)
  store i64 1, ptr %block
  %native = getelementptr i8, ptr %block, i32 24
  store ptr %data, ptr %native
  %here = getelementptr i8, ptr %block, i32 16
  store ptr %data, ptr %here
  %end = getelementptr i8, ptr %block, i32 40
  store i32 %next, ptr %end
  ret ptr %block
}}

define internal ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {{
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %block
}}

define internal void @NRT_incref(ptr %block) {{
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %block
  %new = add i64 %old, 1
  store i64 %new, ptr %block
  br label %done
done:
  ret void
}}

define internal void @NRT_decref(ptr %block) {{
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %block
  %new = sub i64 %old, 1
  store i64 %new, ptr %block
  %free = icmp eq i64 %new, 0
  br i1 %free, label %give, label %done
give:
  %place = getelementptr i8, ptr %block, i32 40
  %end = load i32, ptr %place
  %heap = load i32, ptr inttoptr (i32 {HEAP} to ptr)
  %last = icmp eq i32 %end, %heap
  br i1 %last, label %back, label %done
back:
  %begin = ptrtoint ptr %block to i32
  store i32 %begin, ptr inttoptr (i32 {HEAP} to ptr)
  br label %done
done:
  ret void
}}

declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)

define void @__multi3(ptr %to, i64 %a, i64 %a_high, i64 %b, i64 %b_high) noinline optnone {{
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carried = lshr i64 %p00, 32
  %p01_low = and i64 %p01, 4294967295
  %middle = add i64 %carried, %p01_low
  %p10_low = and i64 %p10, 4294967295
  %middle_all = add i64 %middle, %p10_low
  %over = lshr i64 %middle_all, 32
  %p01_high = lshr i64 %p01, 32
  %p10_high = lshr i64 %p10, 32
  %high_1 = add i64 %p11, %over
  %high_2 = add i64 %high_1, %p01_high
  %high_3 = add i64 %high_2, %p10_high
  %cross_1 = mul i64 %a, %b_high
  %cross_2 = mul i64 %a_high, %b
  %high_4 = add i64 %high_3, %cross_1
  %high = add i64 %high_4, %cross_2
  %low = mul i64 %a, %b
  store i64 %low, ptr %to
  %behind = getelementptr i8, ptr %to, i32 8
  store i64 %high, ptr %behind
  ret void
}}
"""

#: Names that must stay external, because nothing in the module refers to them. `__multi3` is called
#: by code that LLVM emits.
_CALLED_BY_NAME = ("entries", "__multi3")

#: The function that the engine calls by its index with three records. If it raises, the page stops.
_CALLBACK = """
define {kind} @entry(ptr %a, ptr %b, ptr %c) {{
  %answer = alloca i64
  %raised = alloca ptr
  %heap = load i32, ptr inttoptr (i32 {heap} to ptr)
  %status = call i32 @{inner}(ptr %answer, ptr %raised, ptr %a, ptr %b, ptr %c)
  store i32 %heap, ptr inttoptr (i32 {heap} to ptr)
  switch i32 %status, label %stop [ i32 0, label %fine
    i32 -2, label %fine ]
stop:
  call void @stopped(i32 %status)
  unreachable
fine:
  {answer}
}}
@entries = global [1 x ptr] [ptr @entry]
"""
_ENTRY = "\n@entries = global [1 x ptr] [ptr @{inner}]\n"

#: The functions that may be called from outside: the compiled function and numba's wrappers of it.
_PUBLIC = re.compile(r"^define (?!linkonce|internal|private)[^\n@]*@([\w.$]+)\(", re.MULTILINE)
_PYTHON_WRAPPERS = ("cfunc.", "_ZN7cpython")

_NATIVE_RUNTIME = re.compile(
    r"^define [^\n]*@NRT_(?:inc|dec)ref\([^\n]*\{\n.*?^\}\n", re.MULTILINE | re.DOTALL
)
_REPLACED = re.compile(
    r"^declare [^\n]*@(?:NRT_MemInfo_alloc_(?:safe_)?aligned"
    r"|llvm\.x86\.atomic\.sub\.cc\.i64)\([^\n]*\n",
    re.MULTILINE,
)


#: The function that multiplies vectors of int16 (`strategies.net.vectors`), one instruction on the
#: native processor, and its replacement in a page.
_NATIVE_PAIRS = re.compile(
    r"^define internal <8 x i32> (@ethnos_pairs_of_products[.\d]*)\([^\n]*\{\n.*?^\}\n",
    re.MULTILINE | re.DOTALL,
)
_HALVES = (
    ("low", ", ".join(f"i32 {lane}" for lane in range(8))),
    ("high", ", ".join(f"i32 {lane}" for lane in range(8, 16))),
)
_PAIR_PRODUCTS = (
    "\ndefine internal <8 x i32> {name}(<16 x i16> %a, <16 x i16> %b) alwaysinline {{\n"
    + "".join(
        f"  %a_{half} = shufflevector <16 x i16> %a, <16 x i16> poison, <8 x i32> <{lanes}>\n"
        f"  %b_{half} = shufflevector <16 x i16> %b, <16 x i16> poison, <8 x i32> <{lanes}>\n"
        f"  %{half} = call <4 x i32> @llvm.wasm.dot(<8 x i16> %a_{half}, <8 x i16> %b_{half})\n"
        for half, lanes in _HALVES
    )
    + f"  %all = shufflevector <4 x i32> %low, <4 x i32> %high, <8 x i32> <{_HALVES[0][1]}>\n"
    "  ret <8 x i32> %all\n}}\n"
)
_DOT_CALL = "\ndeclare <4 x i32> @llvm.wasm.dot(<8 x i16>, <8 x i16>)\n"


def webassembly_object(function: Any) -> bytes:
    """Make a WebAssembly object with one entry from a compiled function; cache it between runs.

    Args:
        function: the result of `compile_entry` (compiled for some arguments) or `compile_callback`.

    Raises:
        UnportableCode: the plain back end compiled it, or its code refers to this process's memory.
    """
    cached = cached_object(function)
    if cached is not None:
        return cached
    kept, begun = function._cache, time.process_time()
    code = emit_object(_bitcode_of(function), isinstance(function, CFunc))
    kept.store_form(*_form_words(), content=zlib.compress(code))
    log.debug("made WebAssembly in %.1f s", time.process_time() - begun)
    return code


def cached_object(function: Any) -> bytes | None:
    """The cached WebAssembly of a function, or None; UnportableCode if the back end is plain."""
    if not compilation.back_end.__name__.endswith(".fast"):
        raise UnportableCode("the plain compiler makes no code for pages")
    packed = function._cache.read_form(*_form_words())
    return None if packed is None else zlib.decompress(packed)


def _form_words() -> tuple[str, ...]:
    """The words that distinguish cached WebAssembly from a function's other cached code."""
    return TRIPLE, *FEATURES, code_of_module(__name__)


def _bitcode_of(function: Any) -> bytes:
    """The unoptimised bitcode of a function, compiled again if only its machine code is cached.

    UnportableCode if its code refers to this process's memory.
    """
    kept: bytes | None = function._cache.bitcode()
    if kept is not None:
        return kept
    if isinstance(function, CFunc):
        again = function._compile_uncached()  # type: ignore[attr-defined]
    else:
        again = function._compiler.compile(function._cache.signature, None)
    if again.library.has_dynamic_globals:
        raise UnportableCode("code refers to addresses in this process's memory")
    bitcode: bytes = again.library.bitcode
    return bitcode


@functools.cache
def _target_machine() -> Any:
    """LLVM's target machine for WebAssembly."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    features = ",".join(f"+{feature}" for feature in FEATURES)
    return llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=features)


def emit_object(bitcode: bytes, is_callback: bool) -> bytes:
    """One function as a WebAssembly object, from its unoptimised bitcode."""
    module = llvm.parse_assembly(_page_assembly(str(llvm.parse_bitcode(bitcode)), is_callback))
    for symbol in (*module.functions, *module.global_variables):
        if not symbol.is_declaration and symbol.name not in _CALLED_BY_NAME:
            symbol.linkage = llvm.Linkage.internal
    machine = _target_machine()
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _page_assembly(text: str, is_callback: bool) -> str:
    """The LLVM assembly of a function and its callees, adapted to a page's memory and engine."""
    text = _REPLACED.sub("", _NATIVE_RUNTIME.sub("", text))
    note = f"@{FAULT_SYMBOL} ="
    text = text.replace(f"{note} external global ptr", f"{note} internal global ptr null")
    text = _NATIVE_PAIRS.sub(lambda pairs: _PAIR_PRODUCTS.format(name=pairs[1]), text) + _DOT_CALL
    (inner,) = (name for name in _PUBLIC.findall(text) if not name.startswith(_PYTHON_WRAPPERS))
    if not is_callback:
        return text + _RUNTIME + _ENTRY.format(inner=inner)
    kind, answer = "void", "ret void"
    if f"define double @cfunc.{inner}(" in text:
        kind, answer = "double", "%number = load double, ptr %answer\n  ret double %number"
    wrapped = _CALLBACK.format(kind=kind, heap=HEAP, inner=inner, answer=answer)
    return text + _RUNTIME + wrapped
