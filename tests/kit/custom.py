"""Files with a user's strategy or power, and rules that give a clan the power in a file."""

import textwrap
from pathlib import Path

from ethnos_sim.simulator import Rules, load_rules

STRATEGY_HEAD = """\
import numpy as np
from numba import njit
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import *
"""

#: The lines of a turn that draws until the hand is full.
PATIENT = ("if hand_is_full(view):", "    return play(largest_party(view))", "return draw()")

HEAD = "from ethnos_sim.simulator.custom_powers import *\nimport numpy as np\n"

#: Six clans of the 2nd edition, five of which have a track, board, coins or tokens.
CLANS = ("rabbit", "koi", "raccoon", "bear", "fox", "monkey")

#: Six printed powers in Python, by the clan of the 2nd edition that has them.
PRINTED = {
    "rabbit": "def scoring_size(game, party):\n    return party.members + 1\n",
    "tiger": "def marker_size(game, party):\n    return party.size + 1\n",
    "red_panda": "def cards_kept(game, party):\n    return party.size\n",
    "deer": "def marker_regions(game, party):\n    return 63\n",
    "owl": "def another_party(game, party):\n    return party.region >= 0\n",
    "raven": (
        "def after_discard(game, party):\n"
        "    if accepts(game, party.player, True):\n"
        "        draw_cards(game, party.player, party.size)\n"
    ),
}

#: A file with a power that does everything that powers can do, at random, at every moment.
WILD = (
    HEAD
    + """\
@kernel
def act(game, player):
    kind = random_below(game, 11)
    region = random_below(game, 6)
    card = random_below(game, 6 * game.slots)
    other = (player + 1) % game.players
    if kind == 0:
        draw_cards(game, player, 1 + random_below(game, 2))
    elif kind == 1:
        take_card(game, player, card)
    elif kind == 2:
        discard_card(game, player, card)
    elif kind == 3:
        give_card(game, player, other, card)
    elif kind == 4:
        place_marker(game, player, region)
    elif kind == 5:
        move_marker(game, player, region, random_below(game, 6))
    elif kind == 6:
        remove_marker(game, player, region)
    elif kind == 7:
        pay_prestige(game, player, random_below(game, 9) - 4)
    elif kind == 8:
        remember(game, player, random_below(game, 4), recall(game, player, 0) + 1)
    elif kind == 9:
        chosen = offer(game, other, 1 + random_below(game, 63), -1, question=3)
        remember(game, player, 3, chosen)
    else:
        if accepts(game, player, game.age == 2):
            pay_prestige(game, player, choose(game, player, 6, 2))

@power("wild")
def scoring_size(game, party):
    return party.members + random_below(game, 2)

@power("wild")
def marker_size(game, party):
    return party.size + random_below(game, 2)

@power("wild")
def marker_regions(game, party):
    return random_below(game, 64)

@power("wild")
def after_party(game, party):
    act(game, party.player)
    act(game, (party.player + 1) % game.players)

@power("wild")
def another_party(game, party):
    return random_below(game, 3) == 0

@power("wild")
def cards_kept(game, party):
    return random_below(game, 4)

@power("wild")
def after_discard(game, party):
    act(game, party.player)

@power("wild")
def after_recruit(game, player, card):
    if random_below(game, 6) == 0:
        act(game, player)

@power("wild")
def turn_end(game, player):
    if random_below(game, 6) == 0:
        act(game, player)

@power("wild")
def age_end(game, player):
    act(game, player)

@power("wild")
def age_scored(game, player):
    pay_prestige(game, player, 1)
"""
)


def strategy_text(body: str, name: str = "") -> str:
    """The text of a file whose body begins at line 5; NAME is replaced by the strategy's name."""
    return STRATEGY_HEAD + textwrap.dedent(body).replace("NAME", name)


def turn(*lines: str) -> str:
    """The strategy NAME, whose turn has these lines; they begin at line 7 of its file."""
    return "\n".join(["@strategy()", "def NAME(view):", *(f"    {line}" for line in lines), ""])


def strategy_file(folder: Path, name: str, *lines: str) -> Path:
    """Write `mine.py` with a strategy whose turn has `lines`, which begin at line 7."""
    file = folder / "mine.py"
    file.write_text(strategy_text(turn(*lines or PATIENT), name), encoding="utf-8")
    return file


def power_text(name: str, body: str) -> str:
    """The text of a power, whose body begins at line 3; a lone `def` gets the decorator."""
    body = textwrap.dedent(body)
    if "@power(" not in body:
        body = body.replace("def ", f'@power("{name}")\ndef ', 1)
    return HEAD + body


def write_power(folder: Path, name: str, body: str) -> Path:
    """Write a file with a power; return its path."""
    file = folder / f"{name}.py"
    file.write_text(power_text(name, body), encoding="utf-8")
    return file


def rules_with(file: Path, clan: str = "rabbit", edition: str = "second") -> Rules:
    """Rules in which a clan has the power of a file; the power has the file's name."""
    return load_rules(edition, overrides=[f"clans.{clan}={file}:{file.stem}"])
