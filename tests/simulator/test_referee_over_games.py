"""The referee checks over 1,000 games of all editions, modes, player counts, clans and strategies.

Every setting has the same number of tables. Half of them have a bundled strategy and one game, the
others have `random` in its place and two games. The referee replays each game event by event, and
its totals must equal the kernel's result rows. Full hands of wild cards are too rare here;
`test_situations_powers` tests that they pass.
"""

import random
from collections import Counter
from typing import Any

import pytest
from kit.refereed import refereed
from kit.tables import SETTINGS, SWITCHES, bundled_strategies, choose_table

from ethnos_sim.simulator import MODES, SOLO, SOLO_CLANS, Power, load_rules
from ethnos_sim.strategies import get_strategy

TABLES = 30

#: Optional things that the referee counts, with the power that each needs.
OPTIONS = {
    "extra sea marker placed": Power.SEA_TRACK,
    "extra sea marker declined": Power.SEA_TRACK,
    "tie-break token taken": Power.TIE_BREAK_TOKENS,
    "tie-break token declined": Power.TIE_BREAK_TOKENS,
    "settlement marker placed": Power.SETTLEMENT_BOARD,
    "settlement marker declined": Power.SETTLEMENT_BOARD,
    "second party played": Power.SECOND_PARTY,
    "second party declined": Power.SECOND_PARTY,
    "cards kept": Power.KEEPS_CARDS,
    "fewer cards kept": Power.KEEPS_CARDS,
    "cards drawn": Power.DRAWS_CARDS,
    "drawing declined": Power.DRAWS_CARDS,
    "board emptied early": Power.SETTLEMENT_BOARD,
    "board left as it is": Power.SETTLEMENT_BOARD,
}


def test_every_mode_has_its_games() -> None:
    assert {mode for _, _, mode in SETTINGS} == set(MODES)
    assert len(SETTINGS) * TABLES * 3 // 2 > 1000
    assert 2 * len(bundled_strategies()) <= TABLES


@pytest.mark.parametrize(("edition", "players", "mode"), SETTINGS)
def test_the_referee_passes_every_game(edition: str, players: int, mode: str) -> None:
    dice = random.Random(f"{edition} {players} {mode}")
    strategies = bundled_strategies()
    fuzzer = get_strategy("random")
    events: Counter[str] = Counter()
    optional: Counter[str] = Counter()
    led: Counter[str] = Counter()
    seen: set[str] = set()
    brunos: set[tuple[str, object]] = set()
    for number in range(TABLES):
        switches = SWITCHES if number % 4 == 0 and mode not in SOLO else ()
        strategy = strategies[number // 2 % len(strategies)] if number % 2 else fuzzer
        table = choose_table(dice, edition, players, mode, strategy, switches)
        seen |= {seat.name.split(":")[0] for seat in table.seats}
        seed = dice.randrange(2**63)
        for game in range(1 + (strategy is fuzzer)):
            played = refereed(table, seed=seed, game=game)
            summary = played.summary
            brunos = brunos.union(*map(done_by_bruno, played.events))
            events += summary.events
            optional += summary.optional
            for by_clan in summary.parties_led:
                led += by_clan
    rules = load_rules(edition)
    powers = {rules.power_of(clan) for clan in led}
    in_play = set(table.clans) if mode in SOLO else set(rules.clans)
    assert powers == {rules.power_of(clan) for clan in in_play} - {Power.WILD}
    missing = [name for name, power in OPTIONS.items() if power in powers and not optional[name]]
    assert not missing
    assert (optional["region marker declined"] > 0) == (mode not in SOLO)
    expected = {"age", "recruit", "party", "age_end", "game_end"}
    if mode != "standard":
        expected.add("refill")
    if mode in SOLO:
        expected |= {"bruno_gets", "bruno_party"}
    assert expected <= set(events) <= expected | {"pass"}
    assert len(seen) == len(strategies)
    if mode in SOLO:
        assert brunos == everything_of_bruno(mode)
        assert (optional["released to hand"] > 20) == (mode == "solo-easy")


def done_by_bruno(event: dict[str, Any]) -> set[tuple[str, object]]:
    """What an event shows of Bruno."""
    if event["event"] == "bruno_party":
        return {(key, event[key]) for key in ("column", "leader", "largest")}
    if event["event"] == "bruno_gets":
        return {("source", event["source"]), ("cards", len(event["cards"]))}
    return set()


def everything_of_bruno(mode: str) -> set[tuple[str, object]]:
    """What enough games show of Bruno: columns, leaders, and how many cards he gets from where."""
    shown = {("column", color) for color in load_rules("second").colors}
    shown |= {("leader", clan) for clan in SOLO_CLANS} | {("largest", True), ("largest", False)}
    shown |= {("source", source) for source in ("pool", "discard", "deck")}
    return shown | {("cards", number) for number in range(3 if mode == "solo-hard" else 2)}
