"""The test kit: stacked deals, scripted players, and games that the referee always checks.

    game = StackedGame("second", clans=("rabbit", "tiger", "deer", "fox", "dog", "bear"))
    game.age({0: [draw("rabbit:green"), play("rabbit:green"), ...], 1: [...]})
    played = game.play()

A script is a list of answers in the order in which they are needed. Cards that a script draws are
put into the deck where they will be drawn; when all scripts of an age are done, the players draw on
until the dragons, which then come, end the age. `SoloGame` is the same for one player and Bruno.
"""

from kit.answers import (
    Answer,
    bruno_region,
    build_up,
    decline,
    draw,
    draw_cards,
    empty_board,
    gather_and_play,
    give,
    keep,
    lead,
    pass_turn,
    play,
    raw,
    refill,
    region,
    release,
    sea_region,
    settle,
    steal,
    take,
    then_play,
    token,
    win,
)
from kit.game import PlayedGame, StackedGame
from kit.plan import KitError
from kit.quiet import quiet_game
from kit.solo import SoloGame

__all__ = [
    "Answer",
    "KitError",
    "PlayedGame",
    "SoloGame",
    "StackedGame",
    "bruno_region",
    "build_up",
    "decline",
    "draw",
    "draw_cards",
    "empty_board",
    "gather_and_play",
    "give",
    "keep",
    "lead",
    "pass_turn",
    "play",
    "quiet_game",
    "raw",
    "refill",
    "region",
    "release",
    "sea_region",
    "settle",
    "steal",
    "take",
    "then_play",
    "token",
    "win",
]
