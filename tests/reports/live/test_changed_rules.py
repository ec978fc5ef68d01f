"""The page accepts exactly the rule values that the program accepts, and writes them alike."""

import random
from pathlib import Path
from typing import Any

import pytest
from inside.simulator.preparing import value_offsets
from inside.simulator.rules import value_text
from inside.simulator.tables import check_clans, check_mode_values
from pages import evaluated

from ethnos_sim import load_rules
from ethnos_sim.simulator import Rules
from ethnos_sim.simulator.utilities.errors import WrongInput

CHANGES = Path(__file__).parents[3] / "reports" / "live" / "changes.js"
SINGLE, PAIRS = 300, 3_000

#: Values that the page leaves out, as they need other clans.
OTHER_CLANS = ("clans_2_3", "clans_4_6")


def _text(row: dict[str, Any], chance: random.Random) -> str:
    """A value near the ends of its range or beyond; a list keeps its length."""
    if row["switch"] and chance.random() < 0.7:
        return chance.choice(["true", "false"])
    ends = [row["low"], row["low"] + 1, row["high"]]
    if chance.random() < 0.2:
        ends += [row["low"] - 1, row["high"] + 1]
    many = len(row["value"]) if isinstance(row["value"], list) else 0
    if row["value"] == []:
        many = chance.choice([1, 6, 12, 18, 19])
    numbers = [chance.choice(ends) for _ in range(many or 1)]
    if chance.random() < 0.5:
        numbers.sort()
    return value_text(tuple(numbers)) if many else str(numbers[0])


def _linked(edition: str, **table: Any) -> set[str]:
    """The values that the program's checks of changed rules read."""
    read, value = set(), Rules.value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rules, "value", lambda rules, name: read.add(name) or value(rules, name))
        _accepts(edition, {"hand_limit": "9"}, **table)
    return read


def _changes(edition: str, together: set[str]) -> list[dict[str, str]]:
    """Single values, and pairs of values that are checked together."""
    chance = random.Random(7)
    rows = [row for row in value_offsets(load_rules(edition)) if row["name"] not in OTHER_CLANS]
    linked = [row for row in rows if row["name"] in together]
    tries = [[row] for row in chance.choices(rows, k=SINGLE)]
    tries += [chance.sample(linked, 2) for _ in range(PAIRS)]
    return [{row["name"]: _text(row, chance) for row in pair} for pair in tries]


def _settings(changes: dict[str, str]) -> list[str]:
    return [f"{name}={text}" for name, text in changes.items()]


def _accepts(edition: str, changes: dict[str, str], mode: str, players: int, clans) -> bool:
    try:
        rules = load_rules(edition, overrides=_settings(changes))
        check_clans(rules, players, mode, clans)
        check_mode_values(rules, players, mode)
    except WrongInput:
        return False
    return True


@pytest.mark.parametrize(
    ("edition", "mode", "players"),
    [
        ("second", "standard", 3),
        ("second", "recruitment", 3),
        ("first", "standard", 3),
        ("second", "standard", 6),
    ],
)
def test_the_page_accepts_values_exactly_if_the_program_does(edition, mode, players) -> None:
    rules = load_rules(edition)
    named = ("koi", "bear") if edition == "second" else ()
    others = [clan for clan in rules.clans if clan not in named]
    clans = (*named, *others)[: rules.clans_in_play(players)]
    table = {"players": players, "mode": mode, "clans": clans}
    tries = _changes(edition, _linked(edition, **table))
    asked = {"values": value_offsets(rules), "tries": tries, "table": table}
    taken = evaluated(
        "given.tries.map((texts) => {"
        "  const rule = (name) => given.values.find((value) => value.name === name);"
        "  const read = Object.entries(texts).map("
        "    ([name, text]) => [name, readValue(rule(name), text)]);"
        "  if (read.some(([, value]) => value === null)) return null;"
        "  if (problemOf(given.values, Object.fromEntries(read), given.table)) return null;"
        "  return Object.fromEntries(read.map(([name, value]) => [name, written(value)]));"
        "})",
        "problemOf, readValue, written",
        CHANGES,
        asked,
    )
    assert sum(change is not None for change in taken) > len(tries) / 10
    for texts, written in zip(tries, taken, strict=True):
        accepted = _accepts(edition, texts, **table)
        assert (written is not None) == accepted, f"changes.js or simulator/rules: {texts}"
        if written is not None:
            rules = load_rules(edition, overrides=_settings(texts))
            assert written == {name: value_text(rules.value(name)) for name in texts}
