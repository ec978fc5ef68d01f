"""An edition is data: a user's TOML file loads, plays and is reported like the printed ones."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from commands import run
from inside import module_with
from kit.refereed import refereed
from referee.cards import COLORS, POWER_OF, Power

from ethnos_sim import open_results
from ethnos_sim.experiments import play_match, prepare_match
from ethnos_sim.simulator import EDITIONS, RulesError, load_rules, trace_game

editions = module_with("simulator.rules", "_of_users")

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
VALUES = DOCUMENT.parents[1] / "simulator" / "rules" / "values"

#: The powers of the user's edition, written down again for the referee.
THIRD_POWERS = {clan: power for clan, power in POWER_OF["second"].items() if clan != "owl"}
THIRD_POWERS |= {"otter": Power.SECOND_PARTY, "phoenix": Power.NO_MARKER}


@pytest.fixture(autouse=True)
def _forgotten_afterwards(monkeypatch):
    """Forget the editions of a test after it."""
    monkeypatch.setattr(editions, "_of_users", dict(editions._of_users))


@pytest.fixture
def third(tmp_path) -> Path:
    """The example of the documentation as a file."""
    blocks = re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "third.toml"
    path.write_text(next(block for block in blocks if "based_on" in block), encoding="utf-8")
    return path


def test_the_example_of_the_docs_is_a_third_edition_with_thirteen_clans(third) -> None:
    rules = load_rules(third)
    assert (rules.edition, rules.title, len(rules.clans)) == ("third", "A third edition", 13)
    assert (rules.value("bear.on_take"), rules.number("markers")) == (3, 24)
    assert rules.words.clans == "orders"
    assert rules.regions == ("Snow", "Green", "Yellow", "Black", "Red", "Blue")
    assert rules.value("bear.age_4_6") == load_rules("second").value("bear.age_4_6")
    assert rules.value("phoenix.times_cards") == 2
    assert rules.stated["bear.age_4_6"].confidence == "assumed"
    assert load_rules("third", overrides=["bear.on_take=5"]).value("bear.on_take") == 5


def test_a_further_file_is_a_further_bundled_edition(third, tmp_path, monkeypatch) -> None:
    folder = shutil.copytree(VALUES, tmp_path / "values")
    text = "year = 2030\n" + third.read_text(encoding="utf-8")
    (folder / "third.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(editions, "VALUES", folder)
    monkeypatch.setattr(editions, "EDITIONS", (*EDITIONS, "third"))
    rules = load_rules("3")
    assert (rules.edition, len(rules.clans), rules.value("phoenix.times_cards")) == ("third", 13, 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bundled_edition_is_a_file_like_any_other(edition, tmp_path) -> None:
    copy = tmp_path / "copied.toml"
    copy.write_bytes((VALUES / f"{edition}.toml").read_bytes())
    assert load_rules(copy).values() == load_rules(edition).values()
    assert load_rules(copy).rules_id != load_rules(edition).rules_id


@pytest.mark.parametrize("number", [1, 2])
def test_an_edition_may_be_called_by_its_number(number) -> None:
    assert load_rules(str(number)) == load_rules(EDITIONS[number - 1])


@pytest.mark.parametrize("mode", ["standard", "recruitment"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_third_edition_plays_by_the_shared_rules(third, players, mode, monkeypatch) -> None:
    monkeypatch.setitem(POWER_OF, "third", THIRD_POWERS)
    monkeypatch.setitem(COLORS, "third", COLORS["second"])
    rules = load_rules(third)
    match = prepare_match(rules, "random,greedy", players=players, seed=1, mode=mode)
    for table in match.tables[:6]:
        for game in range(3):
            assert refereed(table, seed=3, game=game).summary.players == players
    assert play_match(match, 40).games >= 40


def test_ages_and_clans_in_play_follow_the_file(third) -> None:
    text = third.read_text(encoding="utf-8").replace("ages_4_6 = 3", "ages_4_6 = 2")
    third.write_text(text.replace("clans_4_6 = 6", "clans_4_6 = 5"), encoding="utf-8")
    rules = load_rules(third)
    assert (rules.ages(4), rules.ages(2), rules.clans_in_play(4)) == (2, 2, 5)
    match = prepare_match(rules, "random", players=4, seed=1)
    assert {len(table.clans) for table in match.tables} == {5}
    traced = trace_game(match.tables[0], seed=1, game=0)
    kinds = [event["event"] for event in traced.trace["events"]]
    assert kinds.count("age_end") == 2


def test_a_sweep_over_a_third_edition_is_resumed_and_reported_without_its_file(third, capsys):
    spec = third.parent / "spec.toml"
    spec.write_text(
        'editions = ["second", "third.toml"]\nplayers = [2, 4]\ngames_per_cell = 4\n'
        'clan_sets = { five = "d-optimal", six = "hexads" }\nline_ups = [["greedy", "random"]]\n',
        encoding="utf-8",
    )
    out = third.parent / "out"
    assert run("sweep", spec, "--out", out, "--quiet") == 0
    third.unlink()
    editions._of_users.clear()
    assert run("sweep", "--verify", "--out", out) == 0
    assert run("report", out) == 0
    results = open_results(out)
    assert results.seats(edition="third").select("led_phoenix").collect().sum().item() > 0
    assert "A third edition" in (out / "report.html").read_text(encoding="utf-8")
    numbers = (out / "report_tables" / "numbers.csv").read_text(encoding="utf-8")
    assert "phoenix" in numbers  # the page packs its data of clans
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('based_on = "second"', 'based_on = "secnd"', "did you mean 'second'?"),
        ('based_on = "second"', 'basd_on = "second"', "did you mean 'based_on'?"),
        ('based_on = "second"', "", "'colors' needs 6 different names"),
        ('otter = "second_party"', 'otter = "second_prty"', "did you mean 'second_party'?"),
        ('otter = "second_party"', '"Sea Otter" = "second_party"', "is no name for a clan"),
        ('white = "Snow"', 'whit = "Snow"', "did you mean 'white'?"),
        ('white = "Snow"', "white = 3", "'regions.white' has to be text"),
        ('clan = "order"', 'clam = "order"', "did you mean 'clan'?"),
        ("ages_4_6 = 3", "ages_4_6 = 4", "must be a whole number from 1 to 3"),
        ("ages_4_6 = 3", "ages_46 = 3", "did you mean 'ages_4_6'?"),
        ("markers = 24", "markers = 2", "markers must be a whole number from 3 to 100, not 2."),
        ("markers = 24", "marker = 24", "did you mean 'markers'?"),
        ("on_take = 3 ", "on_tak = 3 ", "did you mean 'bear.on_take'?"),
        ("on_take = 3 ", "on_take = {source = 'us'} ", "unknown value of edition 'third'"),
        ("title", "tittle", "did you mean 'title'?"),
        ("[clans]", "[clans", "cannot be read"),
    ],
)
def test_a_mistake_in_a_file_is_reported_in_a_sentence(third, old, new, told) -> None:
    text = third.read_text(encoding="utf-8")
    assert old in text
    third.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RulesError, match=re.escape(told)):
        load_rules(third)


def test_two_editions_of_one_name_are_refused(third, tmp_path) -> None:
    load_rules(third)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "third.toml"
    other.write_text(third.read_text(encoding="utf-8").replace("markers = 24", "markers = 25"))
    with pytest.raises(RulesError, match="another edition called 'third'"):
        load_rules(other)
    second = tmp_path / "second.toml"
    second.write_bytes(third.read_bytes())
    with pytest.raises(RulesError, match="another edition called 'second'"):
        load_rules(second)


def test_the_bundled_files_are_in_the_order_of_their_years() -> None:
    files = {path.stem for path in VALUES.glob("*.toml")} - {"shared"}
    assert set(EDITIONS) == files
    years = [tomllib.loads((VALUES / f"{name}.toml").read_text())["year"] for name in EDITIONS]
    assert years == sorted(years)
