"""Fixtures for all tests of strategies."""

import pytest


@pytest.fixture(autouse=True)
def strategies_as_before(registry_as_before: None) -> None:
    """Forget the strategies that a test registers."""
