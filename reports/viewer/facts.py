"""What the page of a game needs to know beyond its trace: the edition's names and rules."""

from __future__ import annotations

from typing import Any

from ethnos_sim.simulator.narration.board import Game
from ethnos_sim.simulator.narration.phrases import Phrases, spoken
from ethnos_sim.simulator.powers import Power

#: What each source of prestige is called; the clan of a power names its own.
POWER_SOURCES = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
}


def game_facts(trace: dict[str, Any]) -> dict[str, Any]:
    """The facts of a trace's game, as `Facts` in state.js and `Names` in table.js say them."""
    game = Game.of(trace)
    rules, words = game.rules, game.rules.words
    sources = {"regions": words.regions, "parties": words.parties}
    for source, power in POWER_SOURCES.items():
        clan = game.clan_in_play(power)
        if clan is not None:
            sources[source] = spoken(clan)
    tracks = 1 + ("sea" in sources)
    return {
        "colors": rules.colors,
        "regions": rules.regions,
        "ages": game.ages,
        "dragons": rules.dragons,
        "supply": rules.markers - tracks,
        "onTake": rules.largest_on_take,
        "wild": game.clan_in_play(Power.WILD),
        "scoresLarger": game.clan_in_play(Power.SCORES_LARGER),
        "partyPoints": rules.party_points,
        "title": rules.title,
        "players": Phrases(game).players,
        "words": {"parties": words.parties, "age": words.age, "prestige": words.prestige},
        "sources": sources,
        "seaTrack": _sea_track(game),
        "powers": {
            clan: words.translate(game.rules.power_of(clan).description) for clan in trace["clans"]
        },
    }


def _sea_track(game: Game) -> dict[str, Any] | None:
    """The sea track's length, symbols and awards; None without its clan."""
    if game.clan_in_play(Power.SEA_TRACK) is None:
        return None
    rules = game.rules
    return {
        "last": rules.sea_last_space,
        "symbols": rules.sea_symbols,
        "prestige": rules.sea_prestige(game.players),
    }
