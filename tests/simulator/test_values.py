"""Every rule value is in force: changing it changes games, and the referee passes these.

Random players play the same deals with both values. From the first difference on, the referee
replays the games; it reads all values from the trace. The games in words agree with these traces.
"""

from typing import Any

import numpy as np
import pytest
from inside.experiments.evidence import expected_game_draws
from inside.simulator.narration import Board, Game
from inside.simulator.rules import CLAN_FIELDS, TABLE_FIELDS, Field
from kit.refereed import refereed
from seated import table_of

from ethnos_sim.simulator import SOLO_CLANS, GameTable, InvalidGame, Rules, load_rules, play_table

DEALS, REPLAYED = 150, 2

#: Clans with many choices, and a wild one.
CLANS = {
    "first": ("skeleton", "troll", "merfolk", "orc", "giant", "centaur", "wizard"),
    "second": ("dog", "fox", "koi", "monkey", "bear", "raccoon", "owl"),
}

#: No prestige and hardly any markers, so that all players are level.
LEVEL = (
    *(f"prestige_tokens.base={[0] * 12}", f"prestige_tokens.four_plus={[0] * 6}"),
    *(f"party_points={[0] * 7}", f"monkey.settlement={[0] * 7}", "markers_needed=5"),
    *("koi.symbols=[]", "koi.prestige_4_6=0,0,0", "bear.on_take=0", "bear.age_4_6=0,0,0"),
)

#: The changed value, if it is not the next number or the other switch.
OTHERS = {
    "clans_2_3": 4, "clans_4_6": 5, "ages_2_3": 1, "ages_4_6": 2, "cards_per_clan": 6,
    "dragons": 2, "last_dragon": 2, "hand_limit": 4, "party_limit": 2, "markers": 5,
    "pays.age_1": [2], "pays.age_2": [1, 0], "pays.age_3": [2, 0, 1],
    "bruno.fires_at": [2, 2, 2, 2, 2, 2], "last_space": 3, "symbols": [1],
    "fox.tokens": [2, 3], "troll.tokens": [2, 3], "tokens": list(range(18)),
    "start_prestige": [0, 0, 3], "coins": [7, 8], "follow_ups": 0, "halfling.times_cards": 1,
}  # fmt: skip

#: Changes in both games that make a value matter.
WITH = {
    "ten_wild_wins": ("hand_limit=2",),
    "tokens_break_all_ties": LEVEL,
    "wild_breaks_ties": LEVEL,
    "last_space": ("{clan}.symbols=[]",),
    "two_players.tied_share_all": ("fox.tokens=[15]",),
    "each_symbol": ("{clan}.symbols=[1, 2, 3, 4, 5]",),
    "halfling.marker_bonus": ("halfling.places_marker=true",),
}


def other(rules: Rules, name: str, field: Field) -> object:
    """Another permitted value."""
    value = rules.value(name)
    for key in (name, field.key):
        if key in OTHERS:
            return OTHERS[key]
    if field.switch:
        return not value
    if isinstance(value, tuple):
        return [number + 1 for number in value]
    return value + 1 if value < field.high else value - 1


def cases() -> list[tuple[str, str, int]]:
    """The name of each value, with an edition and a player count that use it; 1 is solo."""
    cases = []
    second, first = load_rules("second"), load_rules("first")
    for field in TABLE_FIELDS:
        players = max(count for count in (1, 2, 3, 4) if field.is_used_with(count))
        cases.append((field.key, "second", players))
    for field in CLAN_FIELDS:
        for power in field.powers:
            edition, rules = ("second", second) if second.clan_of(power) else ("first", first)
            if clan := rules.clan_of(power):
                cases.append((f"{clan}.{field.key}", edition, 3 if field.players[1] == 3 else 4))
                if clan in SOLO_CLANS and field.is_used_with(1) and field.key != "times_cards":
                    cases.append((f"{clan}.{field.key}", edition, 1))
    return cases


def random_table(rules: Rules, players: int, mode: str, first: str) -> GameTable:
    """A table of random players, with the clan `first` and others that have many choices."""
    named = [first] if first in rules.clans else []
    others = [clan for clan in CLANS[rules.edition] if clan != first]
    clans = (*named, *others)[: rules.clans_in_play(players)] if players > 1 else ()
    return table_of(rules, "random", players, mode, clans)


@pytest.mark.parametrize(("name", "edition", "players"), cases())
def test_another_value_makes_other_games_and_the_referee_passes_them(name, edition, players):
    printed = load_rules(edition)
    field, clan = printed.fields[name], name.partition(".")[0]
    also = [setting.format(clan=clan) for setting in WITH.get(name, WITH.get(field.key, ()))]
    mode = "solo-regular" if players == 1 else "standard"
    if name == "bruno.in_addition":
        mode = "solo-hard"
    if field.key == "recruitment_pool":
        mode = "recruitment"
    rules = load_rules(edition, overrides=also)
    changed = load_rules(edition, overrides=[*also, f"{name}={other(rules, name, field)}"])
    tables = [random_table(rule_set, players, mode, clan) for rule_set in (rules, changed)]
    one, two = (play_table(table, seed=3, first_deal=0, deals=DEALS) for table in tables)
    differ = (one.games != two.games) | (one.seats != two.seats).any(axis=1)
    assert differ.any(), (
        f"in {DEALS} deals nothing changes: write values that matter in OTHERS, WITH"
    )
    assert draws_are_as_expected(tables[1], two.games), (
        f"reports expect another number of cards drawn with '{name}': see `cards_dealt` in "
        "simulator/rules/model.py, and `expected_game_draws`"
    )
    for game in np.flatnonzero(differ)[:REPLAYED]:
        trace = refereed(tables[1], seed=3, game=int(game)).traced.trace
        assert told_prestige(trace) == trace["events"][-1]["prestige"], (
            f"what '{name}' pays is not told: add it to simulator/narration/board.py, and to "
            "reports/viewer/sitting.js for pages"
        )


def draws_are_as_expected(table: GameTable, games: np.ndarray) -> bool:
    """Whether the mean number of cards drawn is what reports expect of these rules.

    A false alarm comes once in 10 million tables; the deals are always the same.
    """
    draws = expected_game_draws(table.clans, table.rules, table.players)
    if table.players == 1 or draws is None:
        return True
    by_deal = games["drawn"].sum(axis=1)[:: table.rotations]
    error = by_deal.std(ddof=1) / np.sqrt(len(by_deal))
    return bool(abs(by_deal.mean() - draws) <= 5.3 * error)


def told_prestige(trace: dict[str, Any]) -> list[int]:
    """The prestige of each player on the board that replays a trace."""
    board = Board(Game.from_trace(trace))
    for event in trace["events"]:
        board.apply(event)
    return board.prestige


@pytest.mark.parametrize(
    ("mode", "players"),
    [("recruitment", 4), ("solo-easy", 1), ("solo-regular", 1), ("solo-hard", 1)],
)
def test_r35_where_recruitment_refills_the_pool_another_number_is_refused(mode: str, players: int):
    rules = load_rules("second", overrides="pool_refill=2")
    with pytest.raises(InvalidGame, match=f"pool_refill = 2 has no place in mode '{mode}'"):
        table_of(rules, "random", players, mode)
