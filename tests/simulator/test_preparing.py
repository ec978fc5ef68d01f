"""Tables prepared in one call, empty records, and where a page finds each stated value."""

import numpy as np
import pytest
from inside.simulator.preparing import cached_rule_records, value_offsets
from inside.simulator.tables import hidden_record, view_records

from ethnos_sim.simulator import NONE, load_rules


def test_tables_prepared_together_equal_tables_prepared_one_by_one() -> None:
    rules = load_rules("second")
    sets = [rules.clans[first : first + 6] for first in range(7)]
    alone = [view_records(rules, 4, "standard", [clans]).tobytes() for clans in sets]
    assert view_records(rules, 4, "standard", sets).tobytes() == b"".join(alone)


def test_a_new_hidden_record_is_empty() -> None:
    (hidden,) = hidden_record()
    assert hidden["ten_wild_winner"] == NONE
    assert (hidden["result"]["last_dragon"] == NONE).all()
    assert (hidden["seats"]["gave_up"] == NONE).all()
    hidden["ten_wild_winner"], hidden["result"]["last_dragon"] = 0, 0
    hidden["seats"]["gave_up"] = 0
    assert not any(hidden.tobytes())


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_layout_of_stated_values_has_the_place_of_every_value(edition: str) -> None:
    rules = load_rules(edition)
    values, clans = cached_rule_records(rules)
    rows = value_offsets(rules)
    assert [row["name"] for row in rows] == list(rules.values())
    for row in rows:
        held = (values if row["clan"] is None else clans[row["clan"] :]).tobytes()
        value = rules.value(row["name"])
        numbers = value if isinstance(value, tuple) else (value,)
        assert np.frombuffer(held, "<i2", len(numbers), row["offset"]).tolist() == list(numbers)
        if row["count_offset"] is not None:
            assert np.frombuffer(held, "<i2", 1, row["count_offset"]) == len(numbers)
