"""How a budget of games is divided between a search and the validations of what it finds."""

import pytest
from inside.experiments.balancing import moved_value
from inside.reports.balancing import divided_games

from ethnos_sim.simulator import WrongInput

VALUES = [moved_value("bear.on_take=-2..4"), moved_value("hand_limit=8..12")]
SPEC = {
    "values": VALUES,
    "strategies": ["greedy"],
    "validators": ["random", "champion"],
    "tuning_games": 0,
}


def test_search_and_validations_spend_the_budget_and_no_more() -> None:
    divided = divided_games(SPEC, "test", 1_000_000, None, effects=False)
    assert divided["search_games"] + 3 * divided["validation_games"] == pytest.approx(
        1_000_000, abs=3
    )


def test_a_search_gets_what_stated_validations_leave() -> None:
    divided = divided_games(
        SPEC | {"validation_games": 200_000}, "test", 1_000_000, None, effects=False
    )
    assert divided["validation_games"] == 200_000
    assert divided["search_games"] == 1_000_000 - 3 * 200_000


def test_a_budget_below_a_block_of_deals_a_rule_set_is_refused_with_the_least() -> None:
    with pytest.raises(WrongInput, match=r"1,000 games are too few.* 3 validations need [0-9,]+$"):
        divided_games(SPEC, "test", 1_000, None, effects=False)
