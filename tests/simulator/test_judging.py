"""The judge of users' finished code: the calls, loads and stores that it permits."""

import pytest
from inside import module_with

judging = module_with("simulator.compiler", "judge")
reach = module_with("simulator.compiler", "OutOfReach")

#: The engine's function, a user's function that it calls, and a helper of the user's.
MODULE = """\
@PyExc_ValueError = external global i8
@elsewhere = external global i8
@kept = internal global i64 0

define i32 @decide(ptr %retptr, ptr %excinfo, ptr %arg.view, ptr %arg.own) {
B0:
  %.1 = alloca i64, align 8
  %.2 = alloca ptr, align 8
  %.3 = getelementptr inbounds nuw i8, ptr %arg.own, i64 16
  %.4 = load i64, ptr %arg.own, align 8
  %.5 = inttoptr i64 %.4 to ptr
  %.6 = call i32 @turn(ptr nonnull %.1, ptr %.2, ptr %arg.view, ptr %.3, ptr %.5, ptr %arg.own)
  ret i32 %.6
}

define linkonce_odr i32 @turn(ptr %retptr, ptr %excinfo, ptr %arg.view, ptr %arg.memory.4, \
ptr %arg.weights.4, ptr %arg.rng) {
B0:
  %slot = alloca ptr, align 8
  %heap = tail call ptr @NRT_Allocate(i64 80)
  %index = load i64, ptr %heap, align 8
LINES
  ret i32 0
}

define linkonce_odr i32 @helper(ptr %retptr, ptr %excinfo, ptr %arg.row) {
B0:
HELPER
  store i64 0, ptr %retptr, align 8
  ret i32 0
}

declare ptr @NRT_Allocate(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare double @sin(double)
declare i32 @system(ptr)
declare i32 @engine(ptr)
declare void @NRT_incref(ptr)
"""

#: Bytes 8 to 24 of the view are visible, and the memory of the private record is writable.
SHOWN = {
    "view": [judging.Field(8, 16), judging.Field(16, 24)],
    "own": [judging.Field(16, 32, writable=True)],
}

ROW = "%row = getelementptr i8, ptr %arg.view, i64 8"
HELPED = f"{ROW}\n  %.9 = call i32 @helper(ptr %slot, ptr %excinfo, ptr %row)"

FINE = {
    "a field": (f"{ROW}\n  %.7 = load i64, ptr %row, align 8", ""),
    "an item of a field": (
        f"{ROW}\n  %.7 = getelementptr i8, ptr %row, i64 %index\n  %.8 = load i8, ptr %.7, align 1",
        "",
    ),
    "a write to memory": (
        "%.7 = getelementptr i64, ptr %arg.memory.4, i64 1\n  store i64 5, ptr %.7, align 8",
        "",
    ),
    "a weight": (
        "%.7 = getelementptr float, ptr %arg.weights.4, i64 %index\n"
        "  %.8 = load float, ptr %.7, align 4",
        "",
    ),
    "a write to an array of one's own": ("store i64 5, ptr %heap, align 8", ""),
    "a function of C's": ("%.7 = call double @sin(double 0.5)", ""),
    "a helper that reads a row": (HELPED, "%.7 = load i64, ptr %arg.row, align 8"),
    "a row in a variable": (
        f"{ROW}\n  store ptr %row, ptr %slot, align 8\n  %.7 = load ptr, ptr %slot, align 8\n"
        "  %.8 = load i64, ptr %.7, align 8",
        "",
    ),
    "a comparison of addresses": (
        "%.7 = ptrtoint ptr %arg.view to i64\n  %.8 = ptrtoint ptr %heap to i64\n"
        "  %.9 = icmp ult i64 %.7, %.8",
        "",
    ),
    "an exception": ("store ptr @PyExc_ValueError, ptr %excinfo, align 8", ""),
    "a copy of a field": (
        f"{ROW}\n  tail call void @llvm.memcpy.p0.p0.i64(ptr %heap, ptr %row, i64 8, i1 false)",
        "",
    ),
}

READS, WRITES = "this reads what is not shown", reach.WRITES
NUMBER, CALLS = "an address is made of a number", "this calls an address"

WRONG = {
    "a field that is not shown": ("%.7 = load i64, ptr %arg.view, align 8", "", READS),
    "the end of a field and more": (
        "%.7 = getelementptr i8, ptr %arg.view, i64 20\n  %.8 = load i64, ptr %.7, align 8",
        "",
        READS,
    ),
    "what lies before the record": (
        "%.7 = getelementptr i64, ptr %arg.view, i64 -2\n  %.8 = load i64, ptr %.7, align 8",
        "",
        READS,
    ),
    "what lies before, in two steps": (
        "%.7 = getelementptr i8, ptr %arg.view, i64 -8\n"
        "  %.8 = getelementptr i8, ptr %.7, i64 16\n  %.9 = load i64, ptr %.8, align 8",
        "",
        READS,
    ),
    "an item of what is not shown": (
        "%.7 = getelementptr i8, ptr %arg.view, i64 %index\n  %.8 = load i8, ptr %.7, align 1",
        "",
        READS,
    ),
    "an address out of a field": (f"{ROW}\n  %.7 = load ptr, ptr %row, align 8", "", READS),
    "the private record": (
        "%.7 = getelementptr i8, ptr %arg.rng, i64 8\n  %.8 = load i64, ptr %.7, align 8",
        "",
        READS,
    ),
    "a copy of what is not shown": (
        "tail call void @llvm.memcpy.p0.p0.i64(ptr %heap, ptr %arg.view, i64 8, i1 false)",
        "",
        READS,
    ),
    "a helper that reads before a row": (
        HELPED,
        "%.7 = getelementptr i8, ptr %arg.row, i64 -8\n  %.8 = load i64, ptr %.7, align 8",
        READS,
    ),
    "a write to a field": (f"{ROW}\n  store i64 5, ptr %row, align 8", "", WRITES),
    "a write to a weight": ("store float 5.0, ptr %arg.weights.4, align 4", "", WRITES),
    "a sum into a field": (f"{ROW}\n  %.7 = atomicrmw add ptr %row, i64 1 monotonic", "", WRITES),
    "a field that is filled": (
        f"{ROW}\n  tail call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 8, i1 false)",
        "",
        WRITES,
    ),
    "a helper that writes to a row": (HELPED, "store i64 5, ptr %arg.row, align 8", WRITES),
    "a write by way of a variable": (
        f"{ROW}\n  store ptr %row, ptr %slot, align 8\n  %.7 = load ptr, ptr %slot, align 8\n"
        "  store i64 5, ptr %.7, align 8",
        "",
        WRITES,
    ),
    "a write to one of two": (
        f"{ROW}\n  %.7 = select i1 true, ptr %row, ptr %heap\n  store i64 5, ptr %.7, align 8",
        "",
        WRITES,
    ),
    "an address that is kept": (
        "store ptr %arg.view, ptr %heap, align 8", "", "keeps the address of what is shown",
    ),
    "an address that is given away": (
        "call void @NRT_incref(ptr %arg.view)", "", "gives away the address of what is shown",
    ),
    "a global variable": ("store i64 5, ptr @kept, align 8", "", "writes to a global variable"),
    "another's variable": ("%.7 = load i8, ptr @elsewhere, align 1", "", "elsewhere is out of"),
    "an address of a number": ("%.7 = inttoptr i64 %index to ptr", "", NUMBER),
    "a number of an address": (
        "%.7 = ptrtoint ptr %arg.view to i64\n  %.8 = add i64 %.7, 8\n"
        "  store i64 %.8, ptr %heap, align 8",
        "",
        "a number is made of an address",
    ),
    "a number of an address, by way of a variable": (
        "store ptr %arg.view, ptr %slot, align 8\n  %.7 = load i64, ptr %slot, align 8",
        "",
        "a number is made of an address",
    ),
    "an address of a constant": (
        "%.7 = load i64, ptr inttoptr (i64 4096 to ptr), align 8", "", NUMBER,
    ),
    "assembly": ('%.7 = call i64 asm "movq %rsp, $0", "=r"()', "", NUMBER),
    "a call of an address": ("%.7 = call i64 %heap(i64 1)", "", CALLS),
    "a function of the system": (
        "%.7 = call i32 @system(ptr %heap)", "", "system is out of reach",
    ),
    "the engine": ("%.7 = call i32 @engine(ptr %heap)", "", "engine is out of reach"),
}  # fmt: skip


def judged(lines: str, helper: str = "") -> None:
    text = MODULE.replace("LINES", f"  {lines}").replace("HELPER", f"  {helper}")
    judging.judge(text, "decide", SHOWN)


@pytest.mark.parametrize(("lines", "helper"), FINE.values(), ids=FINE)
def test_code_that_uses_only_its_arguments_is_permitted(lines: str, helper: str) -> None:
    judged(lines, helper)


@pytest.mark.parametrize(("lines", "helper", "sentence"), WRONG.values(), ids=WRONG)
def test_code_that_uses_other_memory_or_functions_is_refused(
    lines: str, helper: str, sentence: str
) -> None:
    with pytest.raises(reach.OutOfReach, match=sentence):
        judged(lines, helper)
