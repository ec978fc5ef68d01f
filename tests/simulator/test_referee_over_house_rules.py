"""The referee passes games by every bundled variant, and with prestige tokens laid out by hand.

Tables of both editions, 2 to 6 players and both modes take turns, with random clans and players.
`test_values` and `test_properties` change single values.
"""

import random
from collections.abc import Sequence

import pytest
from inside.simulator.rules import bundled_variants, load_variant
from kit.refereed import refereed
from kit.tables import SETTINGS, choose_table, quick_strategies

#: Prestige tokens laid out by hand, for tables of up to three players and of more.
TOKENS = [
    ("tokens=0,1,9,1,2,0,3,4,4,5,99,6", (2, 3)),
    ("tokens=0,1,2,0,1,3,1,2,4,1,2,5,2,3,6,3,4,6", (4, 5, 6)),
]

GAMES = 4


def pass_games(change: str, counts: Sequence[int] = range(2, 7)) -> None:
    """Play games by a house rule; the referee checks each."""
    dice = random.Random(change)
    only = load_variant(change).edition if change in bundled_variants() else None
    kinds = [
        (edition, players, mode)
        for edition, players, mode in SETTINGS
        if edition == (only or edition) and players in counts
        if (mode, change) != ("recruitment", "refilled-pool")
    ]
    for _ in range(GAMES):
        edition, players, mode = dice.choice(kinds)
        strategy = dice.choice(quick_strategies())
        table = choose_table(dice, f"{edition}+{change}", players, mode, strategy)
        refereed(table, seed=dice.randrange(2**63), game=dice.randrange(players))


@pytest.mark.parametrize(("tokens", "counts"), TOKENS)
def test_the_referee_passes_games_with_tokens_laid_out_by_hand(tokens: str, counts) -> None:
    pass_games(tokens, counts)


@pytest.mark.parametrize("name", bundled_variants())
def test_the_referee_passes_games_by_each_bundled_house_rule(name: str) -> None:
    pass_games(name)
