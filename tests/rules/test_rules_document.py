"""docs/rules.md, which code and tests cite, has every ruling and agrees with the data."""

import re
from pathlib import Path

import pytest

from ethnos_sim.simulator import Power, load_rules

REPOSITORY = Path(__file__).parents[2]
DOCUMENT = (REPOSITORY / "docs" / "rules.md").read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    """The cells of every line of a table."""
    lines = (line.strip() for line in DOCUMENT.splitlines())
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]


def test_the_document_has_every_ruling_once_and_in_order() -> None:
    given = [int(number) for number in re.findall(r"^- \*\*R(\d+)\*\* ", DOCUMENT, re.MULTILINE)]
    assert given == list(range(1, len(given) + 1))


@pytest.mark.parametrize("power", Power)
def test_every_power_is_explained_and_listed_with_its_clans(power: Power) -> None:
    first, second = (load_rules(edition).clan_of(power) or "–" for edition in ("first", "second"))
    assert [power.label, first, second] in rows()
    assert re.search(rf"^- \*\*{power.label}[.*]", DOCUMENT, re.MULTILINE | re.IGNORECASE)


def test_the_editions_words_are_listed() -> None:
    first, second = load_rules("first").words, load_rules("second").words
    for word in ("region", "clan", "party", "prestige"):
        assert [word, getattr(first, word), getattr(second, word)] in rows()


def test_the_table_of_party_points_has_the_values_in_force() -> None:
    points = load_rules("second").numbers("party_points")
    assert points[0] == points[1]
    assert ["prestige", *map(str, points[1:])] in rows()


@pytest.mark.parametrize(("extra", "mean"), [(0, "52.5 of 60"), (12, "63 of 72")])
def test_the_mean_number_of_cards_drawn_follows_from_setup(extra: int, mean: str) -> None:
    rules = load_rules("first")
    deck = rules.clans_in_play(4) * rules.number("cards_per_clan") + extra - rules.cards_dealt(4)
    bottom = deck - deck // 2 + rules.number("dragons")
    assert f"{deck // 2 + 3 * (bottom + 1) / 4 - 3:g} of {deck}" == mean
    assert mean in DOCUMENT
