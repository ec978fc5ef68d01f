"""What all tests of strategies share."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from ethnos_sim.strategies import list_strategies, registry


@pytest.fixture(autouse=True)
def registry_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test registers is forgotten after it."""
    list_strategies()
    monkeypatch.setattr(registry, "_known", dict(registry._known))
    monkeypatch.setattr(registry, "_origins", dict(registry._origins))
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if "user_file" in name:
            del sys.modules[name]
