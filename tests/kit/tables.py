"""Tables with registered strategies, chosen by a seeded generator."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from inside.simulator.game import KINDS, ORDINARY
from seated import table_of

from ethnos_sim.simulator import SOLO, SOLO_CLANS, GameTable, load_rules, trace_game
from ethnos_sim.simulator.rules import Field
from ethnos_sim.strategies import ClanParameter, Strategy, get_strategy, list_strategies

SWITCHES = ("ten_wild_wins=true", "optional_marker=true")

#: Every combination of edition, number of players and mode that makes a game.
SETTINGS = [
    *(
        (edition, players, mode)
        for edition in ("first", "second")
        for mode in ("standard", "recruitment")
        for players in (2, 3, 4, 5, 6)
    ),
    *(("second", 1, mode) for mode in SOLO),
]


def bundled_strategies() -> list[Strategy]:
    """The package's own strategies; other tests may have registered more."""
    library = "ethnos_sim.strategies.library."
    return [strategy for strategy in list_strategies() if strategy.module.startswith(library)]


def quick_strategies() -> list[Strategy]:
    """The package's own strategies without those that look ahead."""
    return [strategy for strategy in bundled_strategies() if not strategy.looks_ahead]


def representatives() -> list[Strategy]:
    """A strategy of each kind, for tests of things that a strategy's own code does not decide.

    Each decides in a different way: by chance, by a clan, without looking at rivals, by many
    weights, by a net, and by looking ahead.
    """
    names = ("random", "specialist", "spreader", "champion", "learned", "lookahead")
    return [get_strategy(name) for name in names]


def entry(strategy: Strategy, clan: str) -> str:
    """A strategy as written in a line-up; it gets this clan if it needs one."""
    clans = [p.name for p in strategy.parameters if isinstance(p, ClanParameter)]
    return ":".join([strategy.name, *(f"{name}={clan}" for name in clans)])


def choose_clans(dice: random.Random, edition: str, players: int, mode: str) -> tuple[str, ...]:
    """A random clan set that fits the table."""
    if mode in SOLO:
        return tuple(SOLO_CLANS)
    return tuple(dice.sample(load_rules(edition).clans, load_rules(edition).clans_in_play(players)))


def choose_table(
    dice: random.Random,
    edition: str,
    players: int,
    mode: str,
    strategy: Strategy,
    overrides: Sequence[str] = (),
) -> GameTable:
    """A table with random clans, the strategy, `random`, and other quick strategies.

    A solo table has one seat, which the strategy gets. At two of three other tables every seat
    gives up a clan.
    """
    rules = load_rules(edition, overrides=overrides)
    clans = choose_clans(dice, edition, players, mode)
    others = [entry(dice.choice(quick_strategies()), dice.choice(clans)) for _ in range(players)]
    chosen = [entry(strategy, dice.choice(clans)), "random", *others][:players]
    dice.shuffle(chosen)
    table = table_of(rules, chosen, players, mode, clans)
    return table if mode in SOLO else replace(table, kind=dice.choice(KINDS))


def random_game(
    seed: int,
    edition: str = "second",
    players: int = 4,
    mode: str = "standard",
    *,
    clans: Sequence[str] = (),
    overrides: Sequence[str] = (),
    kind: str = ORDINARY,
) -> dict[str, Any]:
    """The trace of a game of random players as JSON; its clans are random unless given."""
    rules = load_rules(edition, overrides=overrides)
    clans = clans or choose_clans(
        random.Random(f"{seed} {edition} {players}"), edition, players, mode
    )
    table = replace(table_of(rules, "random", players, mode, clans), kind=kind)
    traced = trace_game(table, seed=seed, game=0)
    trace: dict[str, Any] = json.loads(json.dumps(traced.trace))
    return trace


def good_values(field: Field) -> st.SearchStrategy[Any]:
    """A hypothesis strategy for values that a field of the rules accepts."""
    if field.switch:
        return st.booleans()
    numbers = (
        st.sampled_from(field.choices) if field.choices else st.integers(field.low, field.high)
    )
    if field.length is None:
        return numbers
    fewest, most = field.length
    lists = st.lists(numbers, min_size=fewest, max_size=most, unique=field.rising)
    return lists.map(sorted) if field.rising or field.multiset else lists
