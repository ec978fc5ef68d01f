"""From a trace to the page of its game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.matches.turn_chances import JUDGE, TurnChance
from ethnos_sim.reports.rendering.document import NOTICE
from ethnos_sim.reports.rendering.scripts import rendered
from ethnos_sim.reports.viewer.facts import game_facts
from ethnos_sim.reports.viewer.shown import changes, told_and_shown
from ethnos_sim.simulator.narration import Line
from ethnos_sim.simulator.narration.board import Game
from ethnos_sim.simulator.narration.narrate import heading_facts
from ethnos_sim.simulator.narration.phrases import Phrases

FOLDER = Path(__file__).parent


def game_page(trace: dict[str, Any], chances: Sequence[TurnChance] = (), guesses: int = 0) -> str:
    """One self-contained HTML page that shows a game event by event.

    Args:
        trace: a trace object (docs/results.md).
        chances: what look-ahead makes of its turns; none leaves the curve out.
        guesses: how many guesses at hidden cards they rest on.
    """
    game = Game.of(trace)
    phrases = Phrases(game)
    name, *facts = heading_facts(game)
    told, shown = zip(*told_and_shown(trace), strict=True)
    data = {
        "events": trace["events"],
        "tokens": trace["prestige_tokens"],
        "changes": changes(shown),
        "names": game_facts(trace),
        "chances": _judged(trace, chances, phrases, game.rules.words.party),
    }
    return rendered(
        FOLDER,
        "viewer",
        {"data": data},
        title=name,
        facts=facts,
        story=_story(told),
        chances_note=_chances_note(guesses),
        notice=NOTICE,
    )


def _story(told: Iterable[list[Line]]) -> Iterator[tuple[int, str, str]]:
    """What each event is told as: its step, the kind of its first line, and its lines."""
    for number, lines in enumerate(told):
        kind = next((line.kind for line in lines if line.text), "note")
        yield number + 1, kind, "\n".join(line.text for line in lines)


def _judged(
    trace: dict[str, Any], chances: Sequence[TurnChance], phrases: Phrases, party: str
) -> list[dict[str, Any]]:
    """The judged turns as `TurnChance` in chances.js says them."""
    steps = turn_steps(trace)
    return [
        {
            "step": steps[each.turn - 1],
            "turn": each.turn,
            "player": each.player,
            "chance": round(each.chance, 4),
            "error": round(each.error, 4),
            "cost": round(each.cost, 4),
            "cost_error": round(each.cost_error, 4),
            "best": each.best.told(phrases, party),
            "best_chance": round(each.best.chance, 4),
        }
        for each in chances
    ]


def turn_steps(trace: dict[str, Any]) -> list[int]:
    """The step of each turn's first event, by the turn's number less one; steps count from 1."""
    steps, chained = [], False
    for number, event in enumerate(trace["events"]):
        if event["event"] in ("recruit", "party", "pass") and not chained:
            steps.append(number + 1)
        if event["event"] == "party":
            chained = event["again"]
    return steps


def _chances_note(guesses: int) -> str:
    """What the chances rest on."""
    return (
        f"After each turn {JUDGE} guesses the cards that its player could not see ({guesses} "
        "times), lets champions play on a few turns in every seat, and values what comes by the "
        "chance to win. Each is what its player could know; beside the names they are scaled to "
        "sum to 100 %, and at the end they are the result. Bands and ± are 95 % intervals over the "
        "guesses. A cost is against the best move that look-ahead found: half of the guesses "
        "choose it, the other half say by how much it is better."
    )
