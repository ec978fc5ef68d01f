"""An edition is data: one more file in the folder of values is one more edition."""

from pathlib import Path

import pytest
from inside import module_with
from inside.experiments import play_match, prepare_match
from kit.refereed import refereed
from referee.cards import COLORS, POWER_OF, Power

from ethnos_sim.simulator import EDITIONS, RulesError, load_rules

editions = module_with("simulator.rules", "_rules_in_file")

VALUES = editions.VALUES_FOLDER

#: The powers of a third edition, written down again for the referee.
THIRD_POWERS = {clan: power for clan, power in POWER_OF["second"].items() if clan != "owl"}
THIRD_POWERS |= {"otter": Power.SECOND_PARTY, "phoenix": Power.NO_MARKER}

CHANGES = {
    'title = "2nd edition (2024)"': 'title = "A third edition"',
    "year = 2024": "year = 2030",
    'owl = "second_party"': 'otter = "second_party"\nphoenix = "no_marker"',
    'white = "White"': 'white = "Snow"',
    'clans = "clans"': 'clans = "orders"',
    "on_take = { value = 4": "on_take = { value = 3",
    "[values.bear]": '[values.ages_4_6]\nvalue = 2\nsource = "us"\nconfidence = "assumed"\n\n'
    "[values.bear]",
}


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a third edition, among the files of the others."""
    text = (VALUES / "second.toml").read_text(encoding="utf-8")
    for old, new in CHANGES.items():
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "third.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(editions, "VALUES_FOLDER", tmp_path)
    monkeypatch.setattr(editions, "EDITIONS", (*EDITIONS, "third"))
    monkeypatch.setitem(POWER_OF, "third", THIRD_POWERS)
    monkeypatch.setitem(COLORS, "third", COLORS["second"])
    yield path
    editions._edition_table.cache_clear()
    editions._rules_in_file.cache_clear()


def test_one_more_file_is_one_more_edition(third) -> None:
    rules = load_rules("3")
    assert (rules.edition, rules.title, len(rules.clans)) == ("third", "A third edition", 13)
    assert (rules.value("bear.on_take"), rules.number("markers")) == (3, 26)
    assert (rules.words.clans, rules.regions[0]) == ("orders", "Snow")
    assert rules.value("phoenix.times_cards") == 2
    assert load_rules("third+bear.on_take=5").value("bear.on_take") == 5


@pytest.mark.parametrize(
    ("players", "mode"), [(2, "standard"), (3, "recruitment"), (5, "standard")]
)
def test_a_third_edition_is_played_by_its_file(third, players, mode) -> None:
    match = prepare_match(load_rules("third"), "random,greedy", players=players, seed=1, mode=mode)
    for table in match.tables[:6]:
        for game in range(3):
            events = refereed(table, seed=3, game=game).events
            assert [event["event"] for event in events].count("age_end") == 2
    assert play_match(match, 40).games >= 40


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("on_take = { value = 3", "on_tak = { value = 3", "did you mean 'bear.on_take'?"),
        ("on_take = { value = 3", "on_take = { value = 100", "from 0 to 99, not 100"),
        ('otter = "second_party"', 'otter = "second_prty"', "did you mean 'second_party'?"),
        ('otter = "second_party"', '"Sea Otter" = "wild"', "is no name for a clan"),
    ],
)
def test_a_mistake_in_a_file_is_reported_in_a_sentence(third, old, new, told) -> None:
    third.write_text(third.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_rules("third")
    assert told in str(caught.value)
