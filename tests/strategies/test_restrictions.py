"""Restrictions hold for each kind of strategy, break no rule, and change nothing else."""

from collections import Counter
from collections.abc import Iterator

import pytest
from kit.refereed import Event, refereed
from kit.tables import representatives
from seated import play_seats, table_of
from watching import covering_clans, watch

from ethnos_sim.simulator import EDITIONS, Power, load_rules
from ethnos_sim.strategies import Parameter, StrategyError, strategy
from ethnos_sim.strategies.toolkit import decline

NAMES = [strategy.name for strategy in representatives()]

WITHOUT_FOX = ("bear", "deer", "dog", "rabbit", "raccoon", "tiger")


def parties(text: str, edition: str, mode: str = "standard") -> Iterator[tuple[int, Event]]:
    """Age and event of the parties of strategy `text` in games that the referee passed."""
    rules = load_rules(edition)
    for clans in covering_clans(rules, 6):
        table = table_of(rules, [text, *["random"] * 3], mode=mode, clans=clans)
        played, age = refereed(table, seed=5, game=1), 0
        player = played.traced.trace["strategies"].index(text)
        for event in played.events:
            age += event["event"] == "age"
            if event["event"] == "party" and event["player"] == player:
                yield age, event


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_player_leads_a_clan_that_it_never_leads_only_if_it_must(name: str, edition: str) -> None:
    rules = load_rules(edition)
    wild = rules.clan_of(Power.WILD)
    number = 0
    for clan, mode in zip(rules.clans[:2], ("standard", "recruitment"), strict=True):
        for _, event in parties(f"{name}:never_leads={clan}", edition, mode):
            number += 1
            if event["leader"].startswith(f"{clan}:"):
                held = event["cards"] + event["discarded"]
                assert len(held) >= rules.number("hand_limit")
                assert {card.split(":")[0] for card in held} <= {clan, wild}
    assert number > 20


@pytest.mark.parametrize("name", NAMES)
def test_a_restriction_that_never_applies_changes_no_game(name: str) -> None:
    rules = load_rules("second")
    rival = "random" if name == "greedy" else "greedy"
    games = [
        play_seats(rules, [text, rival], clans=WITHOUT_FOX, seed=3, deals=3)
        for text in (name, f"{name}:never_leads=fox")
    ]
    assert (games[0].games == games[1].games).all()
    assert (games[0].seats == games[1].seats).all()


def test_a_clan_that_is_barred_in_one_age_is_led_in_the_others() -> None:
    led: Counter[int] = Counter()
    for clan in ("koi", "fox", "owl", "raven", "monkey"):
        for age, event in parties(f"greedy:never_leads={clan}:in_age=2", "second"):
            led[age] += event["leader"].startswith(f"{clan}:")
    assert led[2] == 0
    assert min(led[1], led[3]) > 0


@pytest.mark.parametrize(("text", "barred"), [("", ["dog"]), (":never_leads=fox", ["dog", "fox"])])
def test_the_view_shows_which_cards_may_lead(text: str, barred: list[str]) -> None:
    clans = ("bear", "deer", "dog", "fox", "koi", "owl")
    for view in watch(load_rules("second"), f"greedy{text},random", 4, clans, 2, "standard"):
        leading = [slot for slot, clan in enumerate(clans) if clan not in barred]
        assert view["may_lead"] == view["clan_cards"][leading].sum()


def test_no_parameter_may_have_the_name_of_a_restriction() -> None:
    with pytest.raises(StrategyError, match="'in_age' is the name of a setting"):
        strategy(Parameter("in_age", 0, 0, 1, "an age"))(decline.py_func)
