"""The net of `learned`: compiled code agrees with plain NumPy, move by move."""

import dataclasses
from functools import partial

import numpy as np
import pytest
from inside import module_with
from inside.experiments.training import (
    SelfPlay,
    forward,
    initial_weights,
    play_trial,
    teacher_seat,
)
from inside.simulator.tables import entry_records
from inside.strategies import weights_of
from inside.strategies.afterstates import (
    OWN_MARGIN,
    OWN_WIN,
    PLAYER,
    ROW_INPUTS,
    logged_rows,
    weights_and_log,
)
from kit.sitting import advised, asked, seated
from seated import play_seats

from ethnos_sim.simulator import EDITIONS, Power, Rules, load_rules
from ethnos_sim.simulator.game.records import MOVE_DTYPE
from ethnos_sim.strategies import LineUp, StrategyError, get_strategy

at = module_with("strategies.net", "TABLE_ROWS")
PRINTED = load_rules("second")

#: Rules with every kind of changed clan value, and with second clans of powers that have a track, a
#: token, a board and coins.
CHANGED = load_rules(
    "second",
    overrides={
        "clans.carp": "sea_track",
        "clans.cat": "largest_token",
        "clans.hen": "settlement_board",
        "clans.yak": "coins",
        "koi.per_card": 2,
        "koi.each_symbol": False,
        "bear.margin": 2,
        "raven.needs_marker": True,
        "rabbit.places_marker": False,
        "tiger.marker_bonus": -1,
        "owl.follow_ups": 0,
        "dog.scored": True,
        "party_limit": 4,
        "hand_limit": 8,
        "last_dragon": 2,
        "pays.age_1": [2, 1],
    },
)


def noted(
    rules: Rules,
    players: int,
    *,
    mode: str = "standard",
    barred: str | None = None,
    clans: tuple[str, ...] = (),
) -> np.ndarray:
    """Rows that teachers with an untrained net of the printed rules record in a few games."""
    clans = clans or (rules.clans[-6:] if players > 3 else rules.clans[:5])
    net = initial_weights(4, load_rules(rules.edition))
    room = weights_and_log(net, 20_000)
    seat = teacher_seat(room, net)
    seats = (dataclasses.replace(seat, never_leads=barred), *[seat] * 3)
    play_seats(rules, seats[:players], players, mode, clans, seed=2, deals=2)
    return logged_rows(room)


@pytest.mark.parametrize(
    ("rules", "players", "mode", "clans"),
    [
        *(
            (load_rules(edition), players, mode, ())
            for edition in EDITIONS
            for players, mode in ((2, "standard"), (4, "standard"), (4, "recruitment"))
        ),
        (CHANGED, 4, "standard", ("bear", "cat", "koi", "carp", "tiger", "dog")),
        (CHANGED, 2, "standard", ("monkey", "hen", "raccoon", "yak", "owl")),
    ],
    ids=lambda given: given.rules_id if isinstance(given, Rules) else None,
)
def test_sums_shared_by_moves_give_the_outputs_of_numpy_from_all_inputs(
    rules, players, mode, clans
):
    rows = noted(rules, players, mode=mode, clans=clans)
    assert len(rows) > 200
    weights = initial_weights(4, load_rules(rules.edition)).astype(np.float64)
    outputs = forward(weights, rows[:, ROW_INPUTS:]).outputs[:, [at.WIN, at.MARGIN]]
    assert np.array_equal(outputs.astype(np.float32), rows[:, [OWN_WIN, OWN_MARGIN]])


@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
def test_inputs_of_a_clan_are_proportional_to_its_payments(part: float) -> None:
    by_age = [int(part * printed) for printed in (4, 8, 12)]
    less = {"bear.on_take": int(part * 4), "bear.age_4_6": by_age}
    rules = load_rules("second", overrides=less)
    inputs = noted(rules, 4, clans=rules.clans[:6])[:, ROW_INPUTS:]
    bear = int(Power.LARGEST_TOKEN)
    assert (inputs[:, at.IN_PLAY + bear] == part).all()
    assert (inputs[:, at.IN_PLAY + int(Power.ANY_REGION)] == 1).all()
    held = inputs[:, at.CLAN_CARDS + bear * at.LARGEST_COUNT :][:, : at.LARGEST_COUNT]
    assert held.max() == part
    standing = inputs[:, at.LARGEST : at.LARGEST + 3].sum(axis=1)
    assert (standing == part).all()


def test_inputs_of_the_rules_are_differences_from_the_printed_rules() -> None:
    clans = ("bear", "koi", "owl", "rabbit", "tiger", "dog")
    printed, changed = (
        noted(rules, 4, clans=clans)[:, ROW_INPUTS:] for rules in (PRINTED, CHANGED)
    )
    assert not printed[:, at.RULES : at.RIVALS].any()
    told = {"hand_limit": 6, "party_limit": 7, "last_dragon": 9, "scored": 13, "margin": 14}
    told |= {"each_symbol": 16}
    assert set(np.flatnonzero(changed[0, at.RULES : at.RIVALS])) == set(told.values())
    assert (changed[:, at.RULES + told["hand_limit"]] == np.float32((8 - 10) / 5)).all()
    tiger, rabbit = int(Power.ONE_CARD_FEWER), int(Power.SCORES_LARGER)
    for inputs, bonus, markerless in ((printed, 1, 0), (changed, -1, 1)):
        assert (inputs[:, at.COUNTS_MORE + tiger] == bonus).all()
        assert (inputs[:, at.SCORES_MORE + rabbit] == 1).all()
        assert (inputs[:, at.PLACES_NONE + rabbit] == markerless).all()


def test_a_second_clan_of_a_power_counts_as_in_play() -> None:
    clans = ("bear", "deer", "fox", "koi", "carp", "tiger")
    inputs = noted(CHANGED, 4, clans=clans)[:, ROW_INPUTS:]
    # The koi's spaces count twice and the carp's once, so 2 is the most for one clan.
    assert (inputs[:, at.IN_PLAY + int(Power.SEA_TRACK)] == 3).all()


def test_inputs_of_awards_follow_the_places_that_the_rules_pay() -> None:
    rules = load_rules("second", overrides={"pays.age_1": [2, 1]})
    for given, same in ((rules, True), (PRINTED, False)):
        inputs = noted(given, 4, clans=PRINTED.clans[:6])[:, ROW_INPUTS:]
        first_age = inputs[inputs[:, at.AGES_LEFT + 2] == 1]
        regions = first_age[:, at.TABLE_INPUTS :].reshape(-1, at.REGION_INPUTS)
        now, in_the_next_age = regions[:, at.AWARDS], regions[:, at.AWARDS + 3]
        assert len(regions) > 600
        assert (now == in_the_next_age).all() == same


def test_only_the_restricted_player_sees_its_restriction() -> None:
    clan = PRINTED.clans[-1]
    rows = noted(PRINTED, 4, barred=clan)
    barred = rows[:, ROW_INPUTS + at.BARRED + int(PRINTED.power_of(clan))]
    # Seats rotate: in each game one player is barred, and the same one throughout the game.
    assert 0.15 < barred.mean() < 0.35
    assert set(np.unique(barred)) == {0.0, 1.0}
    assert rows[:, PLAYER].max() == 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_learned_takes_more_than_half_of_the_games_against_three_champions(edition: str) -> None:
    """An even share is 25 %. At the true shares, 240 games fall below half once in 10,000 runs."""
    rules = load_rules(edition)
    learned, champion = (
        entry.seat() for entry in LineUp.parse("learned,champion", 4, rules).entries[:2]
    )
    printed = SelfPlay(rules, 11, drawn_share=0)
    assert play_trial(printed, 0, learned, champion, games=240).mean() > 0.5


@pytest.mark.parametrize("rules", [PRINTED, CHANGED], ids=["printed", "changed"])
def test_numbers_that_learned_keeps_in_memory_change_no_answer(rules: Rules) -> None:
    """This holds across games too: the player begins the next game with the last one's memory."""
    bots = LineUp.parse("learned,greedy", 4, rules).seats()
    clans = rules.clans[: rules.clans_in_play(4)]
    keeping, forgetting = (entry_records(bots[:1], rules.clans)["own"][:1] for _ in range(2))
    for game in range(3):
        answers = np.zeros(0, MOVE_DTYPE)
        at_table = partial(seated, rules, 4, "standard", clans, bots, 0)
        while (views := asked(at_table(answers), 9, game)) is not None:
            forgetting["memory"] = 0
            move = advised(views, keeping)
            assert move == advised(views, forgetting)
            answers = np.concatenate([answers, move])
    assert keeping["memory"].any()


def test_weights_that_are_too_large_for_whole_numbers_are_refused(tmp_path) -> None:
    shipped = weights_of(get_strategy("learned"), PRINTED, 4)
    np.savez(tmp_path / "large.npz", any=100 * shipped)
    with pytest.raises(StrategyError, match="too large for the whole numbers"):
        LineUp.parse([f"learned:weights={tmp_path / 'large.npz'}"], 1, PRINTED)
