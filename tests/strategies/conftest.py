"""Fixtures for all tests of strategies."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def modules_as_before(registry_as_before: None) -> Iterator[None]:
    """Forget everything that a test registers, and the modules of users' files."""
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if "user_file" in name:
            del sys.modules[name]
