"""`ethnos-sim rules` shows values, differences and sources; wrong names end with code 2."""

import json

from ethnos_sim.simulator import load_rules


def test_the_values_that_show_prints_can_be_set(printed) -> None:
    changes = ["bear.age_4_6=1,2,3", "raccoon.coins=[]", "optional_marker=true"]
    rules = load_rules("second", overrides=changes)
    lines = map(str.split, printed("rules", "show", "+".join(["second", *changes])).splitlines())
    shown = {line[0]: line[1] for line in lines if len(line) > 1}
    again = [f"{name}={shown[name]}" for name in rules.values()]
    assert load_rules("second", overrides=again) == rules


def test_show_as_json_holds_values_ids_and_sources(printed) -> None:
    record = json.loads(printed("rules", "show", "first", "--json"))
    rules = load_rules("first")
    assert record["rules_id"] == rules.rules_id
    assert record["values"] == rules.trace_values()
    assert record["clans"]["giant"] == "largest_token"
    assert record["regions"]["grey"] == "Pelagon"
    assert record["words"]["party"] == "band"
    assert record["provenance"]["giant.on_take"]["confidence"] == "certain"
