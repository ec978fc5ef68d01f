"""The referee passes games by every house rule: values, bundled variants and powers of the table.

Tables of both editions, 2 to 6 players and both modes take turns, with random clans and players.
A test run plays a few games of each house rule; REFEREED=2000 plays that many.
"""

import os
import random
from collections.abc import Sequence

import pytest
from inside.simulator.rules import bundled_variants, load_variant
from kit.refereed import refereed
from kit.tables import SETTINGS, choose_table, quick_strategies

#: For each value that house rules change, some of what it may be.
VALUES = {
    "first_cards": ("2", "3", "5"),
    "dragons_in": ("1", "3", "4", "9"),
    "cards_kept": ("1", "2", "15"),
    "start_prestige": ("0,1", "0,0,1,2", "9,0,0,0,0,99"),
    "last_dragon": ("1", "2"),
    "pool_refill": ("1", "6"),
}

#: Prestige tokens laid out by hand, for tables of up to three players and of more.
TOKENS = {2: "tokens=0,1,9,1,2,0,3,4,4,5,99,6", 4: "tokens=0,1,2,0,1,3,1,2,4,1,2,5,2,3,6,3,4,6"}


#: House rules that take the place of what the Recruitment variant does.
WITHOUT_RECRUITMENT = ("pool_refill", "refilled-pool")

GAMES = int(os.environ.get("REFEREED", "4"))


def pass_games(name: str, changes: Sequence[str], counts: Sequence[int] = range(2, 7)) -> None:
    """Play games by a house rule, one of `changes`; the referee checks each."""
    dice = random.Random(name)
    only = load_variant(name).edition if name in bundled_variants() else None
    kinds = [
        (edition, players, mode)
        for edition, players, mode in SETTINGS
        if mode == "standard" or (mode == "recruitment" and name not in WITHOUT_RECRUITMENT)
        if edition == (only or edition) and players in counts
    ]
    strategies = quick_strategies()
    for _ in range(GAMES):
        edition, players, mode = dice.choice(kinds)
        rules = f"{edition}+{dice.choice(changes)}"
        table = choose_table(dice, rules, players, mode, dice.choice(strategies))
        refereed(table, seed=dice.randrange(2**63), game=dice.randrange(players))


@pytest.mark.parametrize("name", VALUES)
def test_the_referee_passes_games_by_each_value(name: str) -> None:
    pass_games(name, [f"{name}={value}" for value in VALUES[name]])


@pytest.mark.parametrize(("fewest", "most"), [(2, 3), (4, 6)])
def test_the_referee_passes_games_with_tokens_laid_out_by_hand(fewest: int, most: int) -> None:
    pass_games("tokens", [TOKENS[fewest]], range(fewest, most + 1))


@pytest.mark.parametrize("name", bundled_variants())
def test_the_referee_passes_games_by_each_bundled_house_rule(name: str) -> None:
    pass_games(name, [name])
