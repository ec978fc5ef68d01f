"""The data with which a report's page plays games: engine, rules, strategies and margins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.clan_sets import ClanSet, capped_set_count
from ethnos_sim.experiments.evidence.evidence import is_one_strategy
from ethnos_sim.experiments.specs.parts import Design
from ethnos_sim.reports.comparison.comparison_study import CLAN_SETS
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.live.engine_data import engine_data
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.viewer.page import empty_page, game_facts
from ethnos_sim.reports.viewer.seat_data import RIVAL_STRATEGIES, table_data
from ethnos_sim.simulator.compiler.webassembly import UnportableCode
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.rules import EDITIONS, Rules, clan_counterparts, load_rules, value_text
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD
from ethnos_sim.simulator.tables.table import leading_clans
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.strategies import LineUp

SCRIPT_MARGINS = {
    "clan": margins.CLAN,
    "apart": margins.SPREAD,
    "seat": margins.SEAT,
    "leader": margins.LEADER,
    "behind": margins.FROM_BEHIND,
    "turns": margins.LENGTH,
}
"""The margins for the page's script, by the names that the script has for them."""

MARGIN_UNIT = "share_difference"
"""The unit of all margins for the page's script."""


def play_data(page: PageGames) -> dict[str, Any] | None:
    """The data with which the page plays games (`Live` in reports/live/table.js).

    None if readers have no situation to choose, if a custom power is not loaded, or if a strategy
    or a rule cannot be compiled for pages.
    """
    rules = {table.edition: page.rules[table.rule_set] for table in page.situations}
    if not rules:
        return None
    players = sorted({table.players for table in page.situations})
    names = dict.fromkeys((STRONGEST, *(table.population for table in page.situations)))
    strategies = [name for name in names if _is_playable_strategy(name, players, rules)]
    try:
        engine = engine_data(rules, players, list(dict.fromkeys([*strategies, *RIVAL_STRATEGIES])))
    except (UnportableCode, WrongInput):  # A custom power's file may be gone by now.
        return None
    games: dict[str, dict[int, Any]] = {key: {} for key in rules}
    for key, number in sorted({(table.edition, table.players) for table in page.situations}):
        games[key][number] = table_with_all_clans(rules[key], number)
    return {
        "engine": engine,
        "seat": {"page": empty_page(), "games": games},
        "margins": {
            name: {number: margin.size_in(MARGIN_UNIT, number) for number in players}
            for name, margin in SCRIPT_MARGINS.items()
        },
        "tables": {key: _rule_facts(rule_set, players) for key, rule_set in rules.items()},
    }


def table_with_all_clans(rules: Rules, players: int) -> dict[str, Any]:
    """A table with all clans (`Seated` in sit_down.js), among which readers choose."""
    mode = STANDARD if players > 1 else next(iter(SOLO))
    names = [STRONGEST] * players
    trace = {"seed": 0, "strategies": names}
    game = Game(rules, players, mode, tuple(_clans_in_power_order(rules)), (), trace=trace)
    sets = _clan_sets(rules, players)
    return {
        "names": game_facts(game),
        "seats": table_data(game, names, 0, rules.edition),
        "usual": list(rules.solo_clans) if mode in SOLO else sets[0],
    }


def _is_playable_strategy(name: str, players: list[int], rules: dict[str, Rules]) -> bool:
    """Whether `name` is one strategy, which can play by all `rules` with all `players`."""
    try:
        for edition_rules in rules.values():
            for number in players:
                LineUp.parse(name, number, edition_rules)
    except WrongInput:
        return False
    return is_one_strategy(name)


def _rule_facts(rules: Rules, players: list[int]) -> dict[str, Any]:
    """The facts of `rules` for the script: changes to the edition, clans, ages and clan sets."""
    order = _clans_in_power_order(rules)
    return {
        "base": list(_changes_as_options(rules)),
        "order": order,
        "leads": [clan for clan in order if clan in leading_clans(rules)],
        "alike": [list(words) for words in _synonyms(rules)],
        "ages": {number: rules.ages(number) for number in players},
        "samples": {
            rules.clans_in_play(number): _clan_sets(rules, number) for number in sorted(players)
        },
    }


def _synonyms(rules: Rules) -> Iterator[tuple[str, ...]]:
    """Pairs of words that mean the same in two editions, by which readers find rule values."""
    for edition in EDITIONS:
        other = load_rules(edition)
        pairs = clan_counterparts(rules, other) | asdict(other.words)
        yield from ((ours, theirs.lower()) for ours, theirs in pairs.items() if ours != theirs)


def _clan_sets(rules: Rules, players: int) -> list[ClanSet]:
    """The clan sets that take turns in games with this number of players."""
    design = Design(sample=capped_set_count(CLAN_SETS, rules, players))
    return design.sets_of_size(rules, rules.clans_in_play(players))


def _clans_in_power_order(rules: Rules) -> list[str]:
    """The clans in the order of their powers, by which cards are numbered."""
    return sorted(rules.clans, key=rules.power_of)


def _changes_as_options(rules: Rules) -> Iterator[str]:
    """The changes to an edition, each written as for the option --set."""
    for clan, change in rules.clan_changes.items():
        yield f"clans.{clan}={value_text(change)}"
    for name in rules.changed_values:
        yield f"{name}={value_text(rules.value(name))}"
