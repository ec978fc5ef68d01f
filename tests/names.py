"""Find what a new rule value, column, estimand, strategy or option still lacks."""

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import click
import referee
from commands import COMMANDS, command_line
from inside import module_with
from inside.experiments import GAME_COLUMNS, seat_columns
from inside.experiments.plans import FORMAT
from inside.reports import ESTIMANDS
from inside.reports.page import margin_text
from inside.reports.rendering import UNITS
from referee.values import NAMES

from ethnos_sim.simulator import load_rules

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"
SIGNATURES = TESTS.parent / "reports" / "gate" / "signatures.toml"
RULES = TESTS / "cli" / "transcripts" / "rules.txt"

#: What to do when a command prints something new.
RECORD = "record what the commands print, `PYTHONPATH=tests python tests/cli/test_transcripts.py`"


def read_by_the_referee() -> re.Pattern[str]:
    """A pattern of the names of rule values that the referee reads."""
    spelled = []
    for file in Path(referee.__file__).parent.glob("*.py"):
        if file.stem == "mutations":
            continue
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                spelled.append(re.escape(node.value))
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "sided":
                spelled += [rf"{name.value}_(2_3|4_6)" for name in node.args[1:]]
            elif isinstance(node, ast.JoinedStr):
                parts = [getattr(part, "value", None) for part in node.values]
                text = [re.escape(part) if isinstance(part, str) else r"\w+" for part in parts]
                if len("".join(part for part in parts if isinstance(part, str))) > 1:
                    spelled.append("".join(text).removeprefix(r"\w+\."))
    return re.compile("|".join(f"(?:.*\\.)?(?:{name})" for name in spelled))


def _values() -> Iterator[str]:
    known = read_by_the_referee()
    shown = {line.partition("\t")[0] for line in RULES.read_text(encoding="utf-8").splitlines()}
    shown = {part for name in shown for part in (name, name.partition(".")[2])}
    for name in NAMES:
        if not known.fullmatch(name):
            yield (
                f"rule value '{name}': no rule of the referee reads it; write it in tests/referee, "
                "from the rulebook"
            )
        if name not in shown:
            yield f"rule value '{name}': {RECORD}"


def headline_table() -> str:
    """The table of headline numbers as docs/statistics.md has to show it."""
    rows = ["| name | unit | margin | family |", "|---|---|---|---|"]
    for name, estimand in sorted(ESTIMANDS.items()):
        unit = UNITS[estimand.unit].words if estimand.unit else "of each number"
        margin = "" if estimand.margin is None else margin_text(estimand.margin)
        rows += [f"| `{name}` | {unit} | {margin} | {estimand.family} |"] * bool(estimand.family)
    return "\n".join(rows)


def _estimands() -> Iterator[str]:
    document = (DOCS / "statistics.md").read_text(encoding="utf-8")
    sections = " ".join(re.findall(r"^### .*$", document, re.MULTILINE))
    tests = "".join(file.read_text("utf-8") for file in TESTS.rglob("test_*.py"))
    for name, estimand in ESTIMANDS.items():
        if f"`{name}`" not in sections:
            yield f"estimand '{name}': write its section in docs/statistics.md"
        for number in estimand.numbers:
            if f"`{re.sub(r'[0-9]', 'k', number)}`" not in document:
                yield f"number '{number}' of '{name}': name it in docs/statistics.md"
        if not re.search(rf"\b{name}\b", tests, re.IGNORECASE):
            yield f"estimand '{name}': compute it from rows in tests/reports/test_estimators.py"
    if headline_table() not in document:
        yield f"headline numbers: docs/statistics.md has to show this table\n{headline_table()}"


def _strategies() -> Iterator[str]:
    strength = (DOCS / "strategy-strength.md").read_text(encoding="utf-8")
    stored = SIGNATURES.read_text(encoding="utf-8")
    shown = (TESTS / "cli" / "transcripts" / "strategies.txt").read_text(encoding="utf-8")
    for name in module_with("reports.gate", "library_strategies").library_strategies():
        if f"| {name} | " not in strength:
            yield (
                f"strategy '{name}': give it a row in docs/strategy-strength.md; "
                "`python benchmarks/strength.py` plays the games and writes the page"
            )
        if f'"{name}"' not in stored:
            yield (
                f"strategy '{name}': it plays no signature yet; "
                "`ethnos-sim check record --only signatures`"
            )
        if not re.search(rf"^{name}\b", shown, re.MULTILINE):
            yield f"strategy '{name}': {RECORD}"


def options() -> Iterator[tuple[str, str]]:
    """Every command's name with each of its options."""
    context = click.Context(command_line)
    for name in COMMANDS:
        command = command_line.get_command(context, name)
        parts = getattr(command, "commands", {})
        commands = {name: command, **{f"{name} {part}": parts[part] for part in parts}}
        for called, command in commands.items():
            for parameter in command.params:
                yield from ((called, word) for word in parameter.opts if word.startswith("--"))


def _options() -> Iterator[str]:
    pages = [*DOCS.rglob("*.md"), TESTS.parent / "README.md"]
    said = [text for page in pages for text in page.read_text(encoding="utf-8").split("\n\n")]
    shown = (TESTS / "cli" / "transcripts" / "options.txt").read_text(encoding="utf-8")
    uses = Counter(word for _, word in options())
    for name, word in options():
        about = [text for text in said if re.search(rf"(?<![\w-]){word}(?![\w-])", text)]
        if not any(uses[word] > 1 or re.search(rf"\b{name}\b", text) for text in about):
            yield (
                f"option '{word}' of '{name}': say in docs/ what it is for, in a paragraph that "
                "names the command"
            )
        asked = f"$ ethnos-sim {name} --help\n"
        if word not in shown.partition(asked)[2].partition("\n$ ")[0]:
            yield (
                f"option '{word}' of '{name}': write '{asked.strip()}' as a line into "
                f"tests/cli/transcripts/options.txt if it lacks this line; {RECORD}"
            )


#: The FORMAT of plans, and a hash of the columns of `games` and `seats` with their types.
COLUMNS = (10, "326f41d2")


def _columns() -> Iterator[str]:
    of_seats = seat_columns(load_rules("second"), solo=True).items()
    kinds = " ".join(f"{name}:{kind.__name__}" for name, kind in (*GAME_COLUMNS.items(), *of_seats))
    known, columns = COLUMNS[0], sha256(kinds.encode()).hexdigest()[:8]
    if (FORMAT, columns) != COLUMNS:
        wanted = max(FORMAT, known + (columns != COLUMNS[1]))
        yield (
            f"columns of 'games' or 'seats': set COLUMNS in tests/names.py to {(wanted, columns)}, "
            f"FORMAT in experiments/plans/plan.py to {wanted}, and add rows to docs/results.md"
        )


@functools.cache
def missing() -> tuple[str, ...]:
    """A sentence for each missing thing, with the remedy."""
    return (*_values(), *_columns(), *_estimands(), *_strategies(), *_options())
