"""The data with which a person takes a seat at a page's game: the engine and the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.reports.live.engine_data import engine_data
from ethnos_sim.simulator.compiler.webassembly import UnportableCode
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.stepping import actions
from ethnos_sim.simulator.stepping.person import BY_ANSWERS
from ethnos_sim.simulator.tables.trace import event_words, trace_head
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.line_up import parse_entry

#: The strategies that play a person's rivals, by levels: beginner, patient, good, strong (seat.js).
LEVELS = ("greedy", "warden", "champion", "learned")

#: The key of rules in the page of a game.
KEY = "game"

#: The numbers of actions for scripts. From `lead` on, every `cards` numbers name the leaders again.
ACTIONS = {
    "deck": actions.FROM_THE_DECK,
    "no": actions.NO,
    "yes": actions.YES,
    "choice": actions.FIRST_CHOICE,
    "card": actions.FIRST_CARD,
    "lead": actions.LEAD_CLAN,
    "cards": actions.MAX_CARDS,
    "count": actions.ACTIONS,
}

KINDS = {
    "deck": records.FROM_DECK,
    "pool": records.FROM_POOL,
    "party": records.PARTY,
    "decline": records.DECLINE,
    "choice": records.CHOICE,
    "cards": records.CARDS,
}


def sit_down(game: Game, rotations: int) -> dict[str, Any]:
    """The engine and the table with which a page plays a game again, and offers a seat at it.

    Rivals that no page can play are left out: restricted ones, and code that is not portable.

    Args:
        game: the game, with its trace.
        rotations: in how many seatings its match plays a deal.

    Returns:
        `live` (reports/live/engine_data.py) and `seats` (`Seats` in sitting.js).

    Raises:
        UnportableCode: no page can play by these rules.
    """
    names = [
        STRONGEST if name.startswith(BY_ANSWERS) else name for name in game.trace["strategies"]
    ]
    try:
        live = engine_for(game.rules, [game.players], names)
    except (UnportableCode, StrategyError):
        live = engine_for(game.rules, [game.players], [])
    deal, rotation = divmod(game.trace["game"], rotations)
    return {"live": live, "seats": seats_at(game, names, deal) | {"rotation": rotation}}


def seats_at(game: Game, strategies: Sequence[str], deal: int, key: str = KEY) -> dict[str, Any]:
    """A game's table, as `Seats` in sitting.js.

    Args:
        game: the game that the page shows.
        strategies: the strategies by seat.
        deal: the number of its deal.
        key: the engine's key of the rules.
    """
    return {
        "key": key,
        "words": event_words(game),
        "head": trace_head(game, seed=game.trace["seed"], game=0),
        "clans": [game.rules.clans.index(clan) for clan in game.clans],
        "strategies": strategies,
        "deal": deal,
        "changes": {},
        "actions": ACTIONS,
        "kinds": KINDS,
    }


def engine_for(rules: Rules, players: Iterable[int], strategies: Sequence[str]) -> dict[str, Any]:
    """The engine, without a worker, with `rules` and `strategies`.

    Args:
        rules: the rules.
        players: the numbers of players.
        strategies: the strategies that may play; LEVELS are added.

    Raises:
        UnportableCode: no page can run the engine.
        StrategyError: a strategy does not compile, or is restricted.
    """
    for number in players:
        entries = [parse_entry(name, number, rules) for name in strategies]
        if any(entry.never_leads is not None for entry in entries):
            raise StrategyError("a page has no restricted players")
    names = list(dict.fromkeys([*strategies, *LEVELS]))
    return engine_data({KEY: rules}, players, names) | {"worker": ""}
