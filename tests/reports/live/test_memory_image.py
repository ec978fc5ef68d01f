"""A page's image of the kernel's memory holds the records, and no bytes that lay there before."""

import numpy as np
import pytest
from inside import module_with

from ethnos_sim.simulator import load_rules

data = module_with("reports.live", "engine_data")


def image_of_clans(monkeypatch: pytest.MonkeyPatch, before: int) -> bytes:
    """The image of a page with the clans' records, written over memory filled with `before`."""
    clans = data.clan_records(load_rules("second"), ())
    memory = np.full(clans.nbytes, before, np.uint8).view(clans.dtype)
    for name in clans.dtype.names:
        memory[name] = clans[name]
    image = data._MemoryImage(0)
    monkeypatch.setattr(data, "clan_records", lambda *given: memory)
    data._rule_facts(load_rules("second"), {0: 0}, image)
    monkeypatch.undo()
    return bytes(image.content)


def test_bytes_between_the_fields_of_records_are_not_on_the_page(monkeypatch) -> None:
    """A copied record has random bytes there, but the same games must make the same page."""
    assert image_of_clans(monkeypatch, before=0) == image_of_clans(monkeypatch, before=255)
