"""Restrictions hold for each kind of strategy, break no rule, and change nothing else."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from kit.custom import strategy_file
from kit.refereed import refereed
from kit.tables import representatives
from seated import play_seats, table_of
from watching import covering_clans

from ethnos_sim.simulator import EDITIONS, IllegalMove, Power, load_rules
from ethnos_sim.strategies import LineUp, Parameter, StrategyError, load_strategy_file, strategy
from ethnos_sim.strategies.toolkit import decline

NAMES = [strategy.name for strategy in representatives()]

#: Clans of the second edition whose powers have no optional part.
NOTHING_OPTIONAL = ("bear", "deer", "dog", "rabbit", "raccoon", "tiger")


def traces(text: str, edition: str, mode: str = "standard") -> Iterator[tuple[dict[str, Any], int]]:
    """Traces that the referee passed, over every clan, each with the seat of strategy `text`."""
    rules = load_rules(edition)
    for clans in covering_clans(rules, 6):
        table = table_of(rules, [text, *["random"] * 3], mode=mode, clans=clans)
        trace = refereed(table, seed=5, game=1).traced.trace
        yield trace, trace["strategies"].index(text)


def pool_sizes(trace: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    """Every event with the number of cards in the pool before it."""
    pool = 0
    for event in trace["events"]:
        yield event, pool
        if event["event"] == "age":
            pool = len(event["pool"])
        elif event["event"] == "recruit":
            pool -= event["source"] == "pool"
        elif event["event"] == "party":
            pool += len(event["discarded"])
        elif event["event"] == "refill":
            pool += len(event["cards"])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_player_obeys_all_restrictions_at_once(name: str, edition: str) -> None:
    """It draws only if the pool is empty, takes nothing optional, and leads the clan if it must."""
    rules = load_rules(edition)
    wild = rules.clan_of(Power.WILD)
    taken = parties = 0
    for clan, mode in zip(rules.clans[:2], ("standard", "recruitment"), strict=True):
        entry = f"{name}:never_draws=yes:never_optional=yes:never_leads={clan}"
        for trace, player in traces(entry, edition, mode):
            for event, pool in pool_sizes(trace):
                if event.get("player") != player:
                    continue
                if event["event"] == "recruit":
                    taken += event["source"] == "pool"
                    assert event["source"] == "pool" or pool == 0
                elif event["event"] == "party":
                    parties += 1
                    assert not event["again"]
                    assert event["kept"] == event["drawn"] == event["sea_regions"] == []
                    assert event["token"] is event["settled"] is None
                    if event["leader"].startswith(f"{clan}:"):
                        held = event["cards"] + event["discarded"]
                        assert len(held) >= rules.number("hand_limit")
                        assert {card.split(":")[0] for card in held} <= {clan, wild}
    assert taken > 20
    assert parties > 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("restriction", ["never_leads=fox", "never_optional=yes"])
def test_a_restriction_that_never_applies_changes_no_game(name: str, restriction: str) -> None:
    rules = load_rules("second")
    rival = "random" if name == "greedy" else "greedy"
    games = [
        play_seats(rules, [text, rival], clans=NOTHING_OPTIONAL, seed=3, deals=3)
        for text in (name, f"{name}:{restriction}")
    ]
    assert (games[0].games == games[1].games).all()
    assert (games[0].seats == games[1].seats).all()


def test_an_illegal_answer_stays_illegal(tmp_path) -> None:
    load_strategy_file(strategy_file(tmp_path, "stubborn_drawer", "return draw()"))
    entry = "stubborn_drawer:never_draws=yes"
    with pytest.raises(IllegalMove, match=entry):
        play_seats(load_rules("second"), [entry, "random"], seed=1, deals=1)


def test_a_clan_that_is_barred_in_one_age_is_led_in_the_others() -> None:
    led: Counter[int] = Counter()
    for clan in ("koi", "fox", "owl", "raven", "monkey"):
        for trace, player in traces(f"greedy:never_leads={clan}:in_age=2", "second"):
            age = 0
            for event in trace["events"]:
                age += event["event"] == "age"
                if event["event"] == "party" and event["player"] == player:
                    led[age] += event["leader"].startswith(f"{clan}:")
    assert led[2] == 0
    assert min(led[1], led[3]) > 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("greedy:in_age=2", "belongs to 'never_leads'"),
        ("greedy:never_leads=koi:in_age=4", "an age from 1 to 3, not '4'"),
    ],
)
def test_in_age_without_a_clan_or_beyond_the_last_age_is_refused(text: str, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        LineUp.parse([text], 4, load_rules("second"))


def test_no_parameter_may_have_the_name_of_a_restriction() -> None:
    with pytest.raises(StrategyError, match="'never_draws' is a setting of every strategy"):
        strategy(Parameter("never_draws", 0, 0, 1, "whether it draws at all"))(decline.py_func)
