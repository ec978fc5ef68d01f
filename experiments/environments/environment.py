"""Make an environment from options such as "four players, against greedy, any clans"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.clan_sets import alternating_sets
from ethnos_sim.simulator.rules import Rules, RuleSet, rules_and_mode
from ethnos_sim.simulator.stepping.stepper import Stepper, outside_seat
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.simulator.utilities.errors import WrongInput, name_hint
from ethnos_sim.strategies import LineUp

#: The number of clan sets that games cycle through by default; all clans appear equally often.
CLAN_SETS = 66

#: The number of games played in parallel if none is given.
PARALLEL_GAMES = 256

KINDS = ("arrays", "single", "aec")

#: The kinds of environments that play one game at a time.
ONE_GAME_KINDS = ("single", "aec")


def make_env(
    rules: Rules | RuleSet | str = "second",
    *,
    kind: str = "arrays",
    players: int = 4,
    opponents: str | Sequence[str] | None = STRONGEST,
    clans: Sequence[str] | None = None,
    mode: str = STANDARD,
    games: int | None = None,
) -> Any:
    """An environment of Ethnos games in which some seats are played by the caller.

    Args:
        rules: the rules in force: a `Rules`, or a word such as "second" or
            "second+bear.on_take=2".
        kind: `arrays` (a `Stepper` of many games, which needs no other library), `single`
            (`gymnasium.Env`) or `aec` (`pettingzoo.AECEnv`, every seat by the caller).
        players: 1 (with a solo mode) to 6.
        opponents: strategies of the other seats, as in a line-up ("greedy,warden"), repeated until
            the seats are full; by default the strongest player, and None if the caller plays
            every seat. The caller's seat rotates from game to game.
        clans: the clans in play; None for 66 sets in turn, in which all clans appear equally often.
        mode: one of `simulator.tables.modes.MODES`.
        games: how many games are under way at once (only for `arrays`; 256 by default).

    Returns:
        The environment. A seed plays the same games as in `play_batch` with this line-up.

    Raises:
        WrongInput: the arguments do not fit together, or the kind is unknown.
        ModuleNotFoundError: the library of this kind is not installed.

    Example:
        >>> from ethnos_sim import make_env
        >>> games = make_env("second", players=4, opponents="greedy", games=8)
        >>> games.start(seed=1)
        >>> games.step(games.legal[:, 0])
        >>> bool(games.over.any())
        False
    """
    if kind not in KINDS:
        raise WrongInput(f"unknown kind of environment '{kind}'{name_hint(kind, KINDS)}")
    if games is None:
        games = 1 if kind in ONE_GAME_KINDS else PARALLEL_GAMES
    elif kind in ONE_GAME_KINDS:
        raise WrongInput(f"the kind '{kind}' plays one game at a time, so it takes no `games`")
    rules, mode = rules_and_mode(rules, mode)
    seats = _table_seats(rules, kind, players, opponents)
    tables = [
        GameTable.prepare(rules, players, mode, chosen, seats)
        for chosen in alternating_sets(rules, players, mode, clans, count=CLAN_SETS, seed=0)
    ]
    return _environment_of_kind(kind, Stepper(tables, games))


def _table_seats(
    rules: Rules, kind: str, players: int, opponents: str | Sequence[str] | None
) -> tuple[Seat, ...]:
    """The players of a table: the caller in the first seat or in all, and the opponents."""
    if opponents is None or kind == "aec":
        if kind == "single" and players > 1:
            raise WrongInput(f"the kind '{kind}' plays one seat: name the opponents")
        return tuple(outside_seat(f"player_{seat}") for seat in range(players))
    rivals = LineUp.parse(opponents, players - 1, rules).seats() if players > 1 else ()
    return (outside_seat(), *rivals)


def _environment_of_kind(kind: str, stepper: Stepper) -> Any:
    """The environment of this kind that plays the games of `stepper`."""
    if kind == "arrays":
        return stepper
    if kind == "aec":
        from ethnos_sim.experiments.environments.aec import TableEnv

        return TableEnv(stepper)
    from ethnos_sim.experiments.environments.seat import SeatEnv

    return SeatEnv(stepper)
