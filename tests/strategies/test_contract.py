"""Promises of every strategy: prose, parameters, legal play, answers from visible data only.

New strategies are tested automatically.
"""

from dataclasses import replace

import numpy as np
import pytest
from inside.experiments.execution import StandIns, check_sample, first_games
from inside.simulator.tables import Stranger
from inside.strategies import DEFAULTS, generated_code
from kit.tables import SETTINGS, representatives
from seated import play_seats, table_of
from watching import covering_clans, quickest

from ethnos_sim.simulator import DECISIONS, EDITIONS, load_rules
from ethnos_sim.strategies import ClanParameter, Strategy, list_strategies

STRATEGIES = list_strategies()

REPRESENTATIVES = tuple(representatives())
"""Tests that cost many games try these strategies; the test of legal play tries all."""


def by_name(strategies: tuple[Strategy, ...]) -> pytest.MarkDecorator:
    """Parametrize over strategies, shown by name."""
    return pytest.mark.parametrize("strategy", strategies, ids=lambda strategy: strategy.name)


def settings(strategy: Strategy, edition: str) -> list[str]:
    """The strategy as in line-ups: by default, and with each parameter low and high.

    A strategy that looks ahead takes too long at high settings, so only one parameter is high at a
    time.
    """
    texts = [quickest(strategy)]
    for parameter in strategy.parameters:
        if strategy.policy is not None:
            low, high = (f"{parameter.name}={end:g}" for end in (parameter.low, parameter.high))
            texts.append(texts[0].replace(low, high))
        elif isinstance(parameter, ClanParameter):
            clans = load_rules(edition).clans
            texts += [f"{strategy.name}:{parameter.name}={clan}" for clan in clans]
        else:
            ends = (parameter.low, parameter.high)
            texts += [f"{strategy.name}:{parameter.name}={end:g}" for end in ends]
    return texts


def tables(edition: str) -> list[tuple[str, int, tuple[str, ...]]]:
    """Every (mode, players, clans): all modes and player counts, with each clan in play."""
    rules = load_rules(edition)
    return [
        (mode, players, clans)
        for named, players, mode in SETTINGS
        if named == edition
        for clans in ([()] if players == 1 else covering_clans(rules, 5 if players < 4 else 6))
    ]


@by_name(STRATEGIES)
def test_prose_has_the_idea_and_the_weakness(strategy: Strategy) -> None:
    paragraphs = strategy.description.split("\n\n")
    assert len(paragraphs) >= 3, (
        "the docstring needs three paragraphs: a summary in one line, the idea, and 'Bad at: ...'"
    )
    assert 15 <= len(strategy.summary) <= 120, "the docstring's first line has 15 to 120 letters"
    assert strategy.summary.endswith(".")
    weaknesses = sum(paragraph.startswith("Bad at: ") for paragraph in paragraphs)
    assert weaknesses == 1, "one paragraph of the docstring begins with 'Bad at: '"
    assert all(len(paragraph.split()) >= 3 for paragraph in paragraphs)


@by_name(STRATEGIES)
def test_parameters_have_a_meaning_and_a_range_that_holds_their_default(strategy: Strategy) -> None:
    for parameter in strategy.parameters:
        assert len(parameter.meaning.split()) >= 3
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.low < parameter.high
        assert parameter.name in parameter.describe()


@by_name(STRATEGIES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_strategy_plays_legal_games_at_every_table_and_with_every_setting(strategy, edition):
    rules = load_rules(edition)
    several = 1 if strategy.policy else 3  # each seat alternates with a random player
    for number, text in enumerate(settings(strategy, edition)):
        line_up = [*[text, "random"] * several, *["random"] * 4]
        # Play all tables with the first setting, and every fifth table with each other setting.
        for mode, players, clans in tables(edition)[number % 5 :: 5 if number else 1]:
            batch = play_seats(rules, line_up[:players], players, mode, clans, seed=3, deals=1)
            assert (batch.seats["won"].sum(axis=1) == 60).all()
            assert (batch.games["last_dragon"][:, 0] >= 0).all()


@by_name(REPRESENTATIVES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_strategy_reads_what_it_is_shown_and_changes_only_what_is_its_own(strategy, edition):
    """It changes its move, its memory and its random stream."""
    generated_code(strategy).check()
    rules = load_rules(edition)
    for clans in covering_clans(rules, 6):
        line_up = f"{quickest(strategy)},random,greedy"
        table = table_of(rules, line_up, clans=clans)
        asked = replace(table.seats[0], strangers=(Stranger(strategy.name, None, strategy),))
        table = replace(table, seats=(asked, *table.seats[1:]))
        check_sample(first_games(table, 9), StandIns(np.random.default_rng(9)))


def test_the_defaults_answer_every_question() -> None:
    assert set(DEFAULTS.functions) == set(DECISIONS)
    generated_code(DEFAULTS).check()
