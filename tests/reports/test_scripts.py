"""The pages' scripts: their own tests pass, and joined they make one valid script."""

from pathlib import Path

import pytest
from inside.reports.rendering import TEMPLATES, join_modules
from inside.reports.viewer import FOLDER
from pages import by_node

TESTS = Path(__file__).parents[1]


def test_the_scripts_pass_their_own_tests() -> None:
    files = sorted(TESTS.rglob("*.test.js"))
    assert files
    by_node("--test", *files)


def test_a_script_is_joined_after_each_script_that_it_imports_once(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("export const one = 1;\n")
    (tmp_path / "b.js").write_text(
        'import { one } from "./a.js";\n\nexport function two() { return 2 * one; }\n'
    )
    (tmp_path / "c.js").write_text(
        'import { one } from "./a.js";\nimport {\n  two,\n} from "./b.js";\n\none + two();\n'
    )
    text = join_modules(tmp_path / "c.js")
    wanted = "const one = 1; function two() { return 2 * one; } one + two();"
    assert text.split() == wanted.split()


@pytest.mark.parametrize("script", [FOLDER / "viewer.js", TEMPLATES / "page.js"])
def test_a_joined_script_has_no_name_twice(tmp_path: Path, script: Path) -> None:
    file = tmp_path / "joined.mjs"
    file.write_text(join_modules(script), encoding="utf-8")
    by_node("--check", file)
