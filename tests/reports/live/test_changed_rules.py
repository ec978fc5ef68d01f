"""The page accepts exactly the rule values that the program accepts, and writes them alike."""

import random
from pathlib import Path

import pytest
from inside.simulator.preparing import stated_fields
from inside.simulator.rules import value_text
from inside.simulator.tables import check_clans, check_values
from pages import evaluated

from ethnos_sim import load_rules
from ethnos_sim.simulator.utilities.errors import WrongInput

CHANGES = Path(__file__).parents[3] / "reports" / "live" / "changes.js"
CLANS, PLAYERS = ("bear", "deer", "dog", "fox", "koi"), 3
TRIES = 400


def _settings(edition: str) -> list[tuple[str, str]]:
    """Values near the ends of their ranges and beyond; lists keep their length."""
    chance = random.Random(7)
    values = [
        row for row in stated_fields(load_rules(edition)) if not row["name"].startswith("clans_")
    ]
    settings = []
    for _ in range(TRIES):
        row = chance.choice(values)
        ends = [row["low"] - 1, row["low"], row["low"] + 1, row["high"], row["high"] + 1]
        many = len(row["value"]) if isinstance(row["value"], list) else 0
        if row["value"] == []:
            many = chance.choice([1, 6, 12, 18, 19])
        numbers = [chance.choice(ends) for _ in range(many or 1)]
        if chance.random() < 0.5:
            numbers.sort()
        text = value_text(tuple(numbers)) if many else str(numbers[0])
        settings.append(
            (row["name"], chance.choice(["true", "false", text]) if row["switch"] else text)
        )
    return settings


def _accepts(edition: str, mode: str, name: str, text: str) -> bool:
    try:
        rules = load_rules(edition, overrides=f"{name}={text}")
        clans = CLANS if edition == "second" else rules.clans[: len(CLANS)]
        check_clans(rules, PLAYERS, mode, clans)
        check_values(rules, PLAYERS, mode)
    except WrongInput:
        return False
    return True


@pytest.mark.parametrize(
    ("edition", "mode"), [("second", "standard"), ("second", "recruitment"), ("first", "standard")]
)
def test_the_page_accepts_a_value_exactly_if_the_program_does(edition: str, mode: str) -> None:
    settings = _settings(edition)
    clans = CLANS if edition == "second" else load_rules(edition).clans[: len(CLANS)]
    table = {"players": PLAYERS, "mode": mode, "clans": clans}
    asked = {"values": stated_fields(load_rules(edition)), "settings": settings, "table": table}
    taken = evaluated(
        "given.settings.map(([name, text]) => {"
        "  const value = readValue(given.values.find((each) => each.name === name), text);"
        "  const wrong = value === null || problemOf(given.values, { [name]: value }, given.table);"
        "  return wrong ? null : written(value);"
        "})",
        "problemOf, readValue, written",
        CHANGES,
        asked,
    )
    assert sum(change is not None for change in taken) > TRIES / 10
    for (name, text), written in zip(settings, taken, strict=True):
        assert (written is not None) == _accepts(edition, mode, name, text), f"{name}={text}"
        if written is not None:
            rules = load_rules(edition, overrides=f"{name}={text}")
            assert written == value_text(rules.value(name))
