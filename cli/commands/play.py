"""`ethnos-sim play`: one game as text that a person who knows Ethnos can follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.game_options import GameOptions, game_options
from ethnos_sim.commands.story import print_story
from ethnos_sim.commands.watching import Watching, watching_options

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import Match
    from ethnos_sim.simulator.narration import Line

#: Guesses at hidden cards for each turn that is explained, and how many of its moves are shown.
GUESSES = 50
SHOWN = 4

INDENT = 8


class SeatType(click.ParamType[int]):
    """A seat as the story names it, P0, or its number alone."""

    name = "seat"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The seat's number; UsageError for what names none."""
        found = re.fullmatch(r"[Pp]?([0-9]{1,9})", str(value))
        if found is None:
            self.fail(f"'{value}' is no seat; they are P0, P1, ...", param, ctx)
        return int(found[1])


@click.command("play")
@game_options
@watching_options
@click.option(
    "--game",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which game of this seed; they are those of `match` and `trace` with the same options.",
)
@click.option("--brief", is_flag=True, help="Leave out recruits: parties, dragons and tables only.")
@click.option(
    "--explain",
    "seat",
    metavar="SEAT",
    type=SeatType(),
    help="After each turn of this seat, as in P0, show the best moves that it had, as `strategies "
    "explain` finds them on 50 guesses at hidden cards.",
)
def command(
    watching: Watching, options: GameOptions, game: int, brief: bool, seat: int | None
) -> None:
    """Play one game and print it as readable text, or write it as a page to watch.

    P0, P1, ... are the seats, clockwise. A table at the end of each age shows each player's markers
    and what they won.
    """
    from ethnos_sim.simulator.narration import narrate

    match = options.prepare()
    if seat is not None and seat >= match.players:
        raise click.BadParameter(f"there is no seat P{seat} at a table of {match.players}")
    if watching.wanted and (brief or seat is not None):
        raise click.UsageError("--brief and --explain are of the text; a page shows every turn")
    trace = match.trace(game).trace
    if watching.wanted:
        watching.write(match, game, trace)
        return
    if seat is None:
        print_story(narrate(trace, brief=brief))
        return
    print_story(narrate(trace, brief=brief, remarks=_remarks(match, trace, game, seat)))


def _remarks(
    match: Match, trace: dict[str, Any], game: int, seat: int
) -> Callable[[int], list[Line]]:
    """What tells the best moves at a seat's turns, by the turn's number."""
    from ethnos_sim.experiments.matches.explaining import explain_position, turns_of
    from ethnos_sim.simulator.narration.board import Game
    from ethnos_sim.simulator.narration.lines import wrapped_parts
    from ethnos_sim.simulator.narration.phrases import Phrases

    phrases = Phrases(Game.of(trace))
    party = match.tables[0].rules.words.party
    positions = {int(each["open"]["turns"]): each for each in turns_of(match, game)}

    def remarks(turn: int) -> list[Line]:
        position = positions.get(turn)
        if position is None or position["open"]["player"] != seat:
            return []
        moves = explain_position(match, position, guesses=GUESSES).moves
        shown = [move for i, move in enumerate(moves) if i < SHOWN or move.played]
        parts = [
            f"{'* ' if move.played else ''}{move.told(phrases, party)} {move.chance:.1%}"
            for move in shown
        ]
        parts[0] = f"chances to win: {parts[0]}"
        return wrapped_parts("detail", parts, INDENT)

    return remarks
