"""Games that show what a value of the rules does, noted by the value's name.

A test module has `Games`: one for each value that it is about, and a test that none is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from ethnos_sim.simulator import Power, load_rules
from ethnos_sim.simulator.rules import CLAN_FIELDS
from kit.answers import Answer
from kit.game import PlayedGame
from kit.quiet import quiet_game

Game = Callable[[], None]

#: The powers whose clans can lead, and those among them that act when a party is played.
LEADING = [power for power in Power if power not in (Power.WILD, Power.CUSTOM)]


def names_of(powers: Iterable[Power], *keys: str) -> list[str]:
    """`power.key` for each value of clans with these powers, those of some keys where given."""
    return [
        f"{power.name.lower()}.{field.key}"
        for power in powers
        for field in CLAN_FIELDS
        if power in field.powers and (not keys or field.key in keys)
    ]


#: A clan with each power: the 2nd edition's, or the 1st's where that has none.
CLAN = {
    power: str(load_rules("second").clan_of(power) or load_rules("first").clan_of(power))
    for power in LEADING + [Power.WILD]
}

#: What a party's event tells of each power that acts, and what it tells where it did not.
EFFECT: dict[Power, tuple[str, Any]] = {
    Power.SECOND_PARTY: ("again", False),
    Power.KEEPS_CARDS: ("kept", []),
    Power.LARGEST_TOKEN: ("largest", False),
    Power.SEA_TRACK: ("sea", None),
    Power.SETTLEMENT_BOARD: ("settled", None),
    Power.TIE_BREAK_TOKENS: ("token", None),
    Power.DRAWS_CARDS: ("drawn", []),
    Power.COINS: ("coin", None),
}


class Games(dict[str, Game]):
    """Games by the name of the value that they show."""

    def of(self, name: str) -> Callable[[Game], Game]:
        """Let a game show what the value with this name does."""

        def note(game: Game) -> Game:
            assert name not in self
            self[name] = game
            return game

        return note

    def of_each(self, names: Iterable[str]) -> Callable[[Callable[[Power, str], None]], None]:
        """Let a game show each of these values, given its power and its key."""

        def note(game: Callable[[Power, str], None]) -> None:
            for name in names:
                power, _, key = name.partition(".")
                self.of(name)(partial(game, Power[power.upper()], key))

        return note


def game(
    *ages: dict[int, Sequence[Answer]], clans: Sequence[str] = ("koi", "fox"), **settings: Any
) -> PlayedGame:
    """A game of these scripts, age by age; two clans beside the quiet ones, one at small tables."""
    clans = clans[:1] if settings.get("players", 4) <= 3 else clans
    table = quiet_game(*clans, **settings)
    for scripts in ages:
        table.age(scripts)
    return table.play()


def seen(
    look: Callable[[PlayedGame], Any],
    change: str,
    *ages: dict[int, Sequence[Answer]],
    **settings: Any,
) -> tuple[Any, Any]:
    """What is seen in a game as printed, and in the same one with a value changed."""
    also = list(settings.pop("overrides", ()))
    printed, changed = (
        look(game(*ages, overrides=[*also, *each], **settings)) for each in ((), (change,))
    )
    return printed, changed


def ages_of(played: PlayedGame) -> int:
    return len(played.of("age_end"))


def won(key: str, age: int = 1) -> Callable[[PlayedGame], Any]:
    """What an age brought by its key."""
    return lambda played: played.age_end(age)[key]


def told(key: str, number: int = 0, player: int = 0) -> Callable[[PlayedGame], Any]:
    """What the event of a player's party with this number says of it."""
    return lambda played: played.party(player, number)[key]


def winners(played: PlayedGame) -> list[int]:
    """Who won."""
    return played.winners
