"""Break the program in one place at a time, and list the breaks that no test notices.

    python benchmarks/mutations.py --kernel 60 --statistics 40 --seed 1

A mutation changes one operator, number or word of a function in a copy of the repository: `<`
becomes `<=`, `+` becomes `-`, 2 becomes 3, `and` becomes `or`, `min` becomes `max`. The tests
nearest to it then run until one fails. A survivor is a hole in the tests, or changes nothing that
matters.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from runner import run

ROOT = Path(__file__).resolve().parents[1]

#: The folders that are imported as parts of `ethnos_sim`, as the files in `cli` are.
PACKAGES = ("simulator", "strategies", "experiments", "reports")

#: By kind: the folders that are mutated, and the tests that should fail, the quickest first.
KINDS = {
    "kernel": (
        ("simulator/kernel",),
        (
            "tests/simulator/test_rulebook_examples.py",
            "tests/simulator/test_rulebook_examples_solo.py",
            *("tests/simulator/test_situations_illegal_moves.py", "tests/simulator"),
        ),
    ),
    "statistics": (
        ("experiments/statistics", "reports/estimators"),
        ("tests/experiments/statistics", "tests/reports/test_estimators.py", "tests/reports"),
    ),
}
IGNORED_TESTS = ("test_compilation.py", "test_identity.py", "browser", "viewer")
SECONDS_FOR_TESTS = 900

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitAnd: ast.BitOr}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutation:
    """A change of one node of a file: its code before and after, and the mutated file's text."""

    file: str
    line: int
    before: str
    after: str
    text: str


def mutated_copy(node: ast.AST) -> ast.AST | None:
    """A mutated copy of a piece of code; None if no mutation fits."""
    other = deepcopy(node)
    match other:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            other.ops = [COMPARISONS[type(op)]()]
        case ast.BinOp() | ast.AugAssign() if type(other.op) in OPERATORS:
            other.op = OPERATORS[type(other.op)]()
        case ast.BoolOp():
            other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
        case ast.Constant(value=bool()):
            other.value = not other.value
        case ast.Constant(value=int() | float() as number):
            other.value = number + 1
        case ast.UnaryOp(op=ast.Not()):
            return other.operand
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            other.func = ast.Name(CALLS[name])
        case _:
            return None
    return other


class NodeReplacer(ast.NodeTransformer):
    """Replaces one node of a tree by another node."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """The replacement of the old node; any other node with its children visited."""
        return self.new if node is self.old else super().generic_visit(node)


def mutations(folder: str) -> Iterator[Mutation]:
    """All mutations of the functions in a folder's files."""
    for file in sorted((ROOT / folder).glob("*.py")):
        source = file.read_text(encoding="utf-8")
        tree = ast.parse(source)
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            for statement in function.body:
                for node in ast.walk(statement):
                    new = mutated_copy(node)
                    if new is None or not hasattr(node, "lineno"):
                        continue
                    text = ast.unparse(NodeReplacer(node, ast.copy_location(new, node)).visit(tree))
                    NodeReplacer(new, node).visit(tree)
                    words = ast.unparse(node), ast.unparse(new)
                    yield Mutation(str(file.relative_to(ROOT)), node.lineno, *words, text)


def copy_repository(folder: Path) -> Path:
    """Copy the repository; return the folder to import `ethnos_sim` from."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    package = folder / "build" / "ethnos_sim"
    package.mkdir(parents=True)
    for part in [*(folder / "cli").iterdir(), *(folder / name for name in PACKAGES)]:
        (package / part.name).symlink_to(part)
    return package.parent


def first_failing_test(folder: Path, package: Path, tests: tuple[str, ...]) -> str:
    """The first test that fails in a copy of the repository; empty if all pass."""
    ignored = [f"--ignore-glob=*/{name}*" for name in IGNORED_TESTS]
    variables = {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    variables["ETHNOS_SIM_CACHE"] = str(folder.parent / "machine_code")
    for paths in tests:
        tests_run = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-x", *ignored, paths],
            cwd=folder,
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = tests_run.communicate(timeout=SECONDS_FOR_TESTS)
        except subprocess.TimeoutExpired:
            os.killpg(tests_run.pid, signal.SIGKILL)  # processes that the tests started would go on
            return f"{paths} did not end in {SECONDS_FOR_TESTS} s"
        if tests_run.returncode:
            failed = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
            return failed[1] if failed else f"{paths}: {output[-400:]}"
    return ""


def try_mutations(*, kernel: int = 0, statistics: int = 0, seed: int = 1) -> None:
    """Draw mutations of the kernel and of the statistics, try them, and print the survivors."""
    numbers = {"kernel": kernel, "statistics": statistics}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "copy"
        package = copy_repository(folder)
        for kind, (folders, tests) in KINDS.items():
            known = [mutation for name in folders for mutation in mutations(name)]
            drawn = random.Random(seed).sample(known, numbers[kind])
            if drawn and (test := first_failing_test(folder, package, tests)):
                sys.exit(f"{test} fails even without a mutation")
            print(f"{kind}: {len(drawn)} of {len(known)} mutations", flush=True)
            for mutation in drawn:
                target = folder / mutation.file
                whole = target.read_text(encoding="utf-8")
                target.write_text(mutation.text, encoding="utf-8")
                begun = time.monotonic()
                test = first_failing_test(folder, package, tests)
                target.write_text(whole, encoding="utf-8")
                sentence = f"{mutation.file}:{mutation.line}: {mutation.before} -> {mutation.after}"
                took = time.monotonic() - begun
                print(f"{sentence}: {test or 'SURVIVED'} ({took:.0f} s)", flush=True)


if __name__ == "__main__":
    run(try_mutations)
