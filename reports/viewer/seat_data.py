"""The data with which a page lets a person play: the engine, and the table of the game."""

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
from ethnos_sim.simulator.stepping.person import PERSON_PREFIX
from ethnos_sim.simulator.tables.trace import event_words, trace_head
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.line_up import parse_entry

#: A person's rivals at four levels, which seat.js calls beginner, patient, good and strong.
RIVAL_STRATEGIES = ("greedy", "warden", "champion", "learned")

#: The key of the rules in the engine's data of the page of a game.
RULES_KEY = "game"

#: The numbers of actions (`simulator.stepping.actions`), by the names that scripts have for them.
ACTION_NUMBERS = {
    "deck": actions.FROM_THE_DECK,
    "no": actions.NO,
    "yes": actions.YES,
    "choice": actions.FIRST_CHOICE,
    "card": actions.FIRST_CARD,
    "lead": actions.LEAD_CLAN,
    "cards": actions.MAX_CARDS,
    "count": actions.ACTIONS,
}

#: The kinds of moves, by the names that scripts have for them.
MOVE_KINDS = {
    "deck": records.FROM_DECK,
    "pool": records.FROM_POOL,
    "party": records.PARTY,
    "decline": records.DECLINE,
    "choice": records.CHOICE,
    "cards": records.CARDS,
}


def seat_data(game: Game, rotations: int) -> dict[str, Any]:
    """The engine and the table with which a page plays a game again, and lets a person play.

    If one strategy of the game is restricted or cannot run in a page, the page has only the rivals.

    Args:
        game: the game, with its trace.
        rotations: how many seatings of every deal were in the match of the game.

    Returns:
        `live` (reports/live/engine_data.py) and `seats` (`Seats` in sitting.js).

    Raises:
        UnportableCode: no page can play by these rules.
    """
    names = [
        STRONGEST if name.startswith(PERSON_PREFIX) else name for name in game.trace["strategies"]
    ]
    try:
        live = seat_engine(game.rules, [game.players], names)
    except (UnportableCode, StrategyError):
        live = seat_engine(game.rules, [game.players], [])
    deal, rotation = divmod(game.trace["game"], rotations)
    return {"live": live, "seats": table_data(game, names, deal) | {"rotation": rotation}}


def table_data(
    game: Game, strategies: Sequence[str], deal: int, rules_key: str = RULES_KEY
) -> dict[str, Any]:
    """The data of a game's table (`Seats` in sitting.js).

    Args:
        game: the game that the page shows.
        strategies: the strategies by seat.
        deal: the number of the game's deal.
        rules_key: the key of the rules in the engine's data.
    """
    return {
        "key": rules_key,
        "words": event_words(game),
        "head": trace_head(game, seed=game.trace["seed"], game=0),
        "clans": [game.rules.clans.index(clan) for clan in game.clans],
        "strategies": strategies,
        "deal": deal,
        "changes": {},
        "actions": ACTION_NUMBERS,
        "kinds": MOVE_KINDS,
    }


def seat_engine(rules: Rules, players: Iterable[int], strategies: Sequence[str]) -> dict[str, Any]:
    """The data of the engine, without its worker, for one rule set and a person's rivals.

    Args:
        rules: the rules.
        players: the numbers of players.
        strategies: the strategies that may play besides RIVAL_STRATEGIES.

    Raises:
        UnportableCode: no page can run the engine.
        StrategyError: a strategy does not compile, or is restricted.
    """
    for number in players:
        entries = [parse_entry(name, number, rules) for name in strategies]
        if any(entry.never_leads is not None for entry in entries):
            raise StrategyError("a page has no restricted players")
    names = list(dict.fromkeys([*strategies, *RIVAL_STRATEGIES]))
    return engine_data({RULES_KEY: rules}, players, names) | {"worker": ""}
