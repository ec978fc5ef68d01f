"""NAME=VALUE sets values, and every wrong name or value is refused in a sentence."""

import pickle

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from kit.tables import good_values

from ethnos_sim.simulator import EDITIONS, RulesError, load_rules


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("bear.on_take=2", "bear.on_take", 2),
        (" bear.on_take = 2 ", "bear.on_take", 2),
        ("hand_limit=8", "hand_limit", 8),
        ("ten_wild_wins=true", "ten_wild_wins", True),
        ("optional_marker=True", "optional_marker", True),
        ("bear.age_4_6=[1,2,3]", "bear.age_4_6", (1, 2, 3)),
        ("bear.age_4_6=1, 2, 3", "bear.age_4_6", (1, 2, 3)),
        ("bear.age_4_6[2]=9", "bear.age_4_6", (4, 8, 9)),
        ("party_points[0]=1", "party_points", (1, 0, 1, 3, 6, 10, 15)),
        ("koi.symbols=[]", "koi.symbols", ()),
        ("koi.symbols=[9]", "koi.symbols", (9,)),
        ("raccoon.coins=9,", "raccoon.coins", (9,)),
    ],
)
def test_a_value_is_set_by_name(text: str, name: str, value: object) -> None:
    assert load_rules("second", overrides=[text]).value(name) == value


def test_a_mapping_sets_values_too_dotted_or_nested() -> None:
    dotted = load_rules("second", overrides={"bear.on_take": 2, "koi.symbols": [5]})
    nested = load_rules("second", overrides={"bear": {"on_take": 2}, "koi": {"symbols": (5,)}})
    assert dotted == nested
    assert (dotted.value("bear.on_take"), dotted.value("koi.symbols")) == (2, (5,))


def test_an_error_keeps_its_sentences_when_it_is_pickled() -> None:
    error = RulesError(["One is wrong.", "Two is wrong."])
    copy = pickle.loads(pickle.dumps(error))
    assert copy.problems == error.problems
    assert str(copy) == "One is wrong. Two is wrong."


#: By value: a further value that must change with it.
WITH = {
    "last_space": "{clan}.symbols=[]",
    "symbols": "{clan}.last_space=60",
    "dragons": "last_dragon=0",
    "last_dragon": "dragons=6",
}


@given(data=st.data(), edition=st.sampled_from(EDITIONS))
def test_every_permitted_value_can_be_set_as_text_or_the_error_names_what_to_set_with_it(
    data: st.DataObject, edition: str
) -> None:
    name, field = data.draw(st.sampled_from(sorted(load_rules(edition).fields.items())))
    value = data.draw(good_values(field))
    texts = [f"{name}={value if value != [] else '[]'}"]
    if field.key in WITH:
        texts.append(WITH[field.key].format(clan=name.partition(".")[0]))
    try:
        rules = load_rules(edition, overrides=texts)
    except RulesError as error:
        told = error.problems
        event("needs another value")
    else:
        told = ()
    if told:
        assert all(said.endswith("set both.") or "go evenly to" in said for said in told)
        return
    expected = tuple(value) if isinstance(value, list) else value
    assert rules.values()[name] == rules.value(name) == expected
    assert type(rules.value(name)) is type(expected)


@given(texts=st.lists(st.text(max_size=20) | st.from_regex(r"bear\.on_take=.*"), max_size=4))
def test_any_text_leads_to_rules_or_to_sentences(texts: list[str]) -> None:
    problems: tuple[str, ...] = ()
    rules = load_rules("second")
    try:
        rules = load_rules("second", overrides=texts)
    except RulesError as error:
        problems = error.problems or ("",)
    assert all(problem.endswith((".", "?")) for problem in problems)
    assert all(rules.fields[name].accepts(value) for name, value in rules.values().items())
