"""The data with which a page plays games itself: engine, rules, strategies and margins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.clan_sets import ClanSet, sets_up_to
from ethnos_sim.experiments.evidence.evidence import is_one_strategy
from ethnos_sim.experiments.specs.parts import Design
from ethnos_sim.reports.comparison.two_rule_sets import CLAN_SETS
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.live.data import live_data
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.viewer.page import empty_page, game_facts
from ethnos_sim.reports.viewer.seat import LEVELS, seats_at
from ethnos_sim.simulator.compiler.webassembly import NotPortable
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.rules import EDITIONS, Rules, clans_by_power, load_rules, value_text
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD
from ethnos_sim.simulator.tables.table import leading_clans
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.strategies import LineUp

MARGINS = {
    "clan": margins.CLAN,
    "apart": margins.SPREAD,
    "seat": margins.SEAT,
    "leader": margins.LEADER,
    "behind": margins.FROM_BEHIND,
    "turns": margins.LENGTH,
}
"""The margins that a page's script uses: smaller differences do not matter."""

UNIT = "share_difference"
"""The unit in which the script counts what clans and seats win."""


def playable(page: PageGames) -> dict[str, Any] | None:
    """The data with which the page plays games (`Live` in reports/live/table.js).

    None if the page has no table, if a custom power is not loaded, or if a strategy or a rule
    cannot be compiled for pages.
    """
    rules = {table.edition: page.rules[table.rule_set] for table in page.tables}
    if not rules:
        return None
    players = sorted({table.players for table in page.tables})
    names = dict.fromkeys((STRONGEST, *(table.population for table in page.tables)))
    strategies = [name for name in names if _plays(name, players, rules)]
    try:
        engine = live_data(rules, players, list(dict.fromkeys([*strategies, *LEVELS])))
    except (NotPortable, WrongInput):  # A custom power's file may be gone by now.
        return None
    games: dict[str, dict[int, Any]] = {key: {} for key in rules}
    for key, number in sorted({(table.edition, table.players) for table in page.tables}):
        games[key][number] = table_of_all(rules[key], number)
    return {
        "engine": engine,
        "seat": {"page": empty_page(), "games": games},
        "margins": {
            name: {number: margin.at(UNIT, number) for number in players}
            for name, margin in MARGINS.items()
        },
        "tables": {key: _table(rule_set, players) for key, rule_set in rules.items()},
    }


def table_of_all(rules: Rules, players: int) -> dict[str, Any]:
    """A table with all clans, as `Seated` in sit_down.js; the reader chooses a few of them."""
    mode = STANDARD if players > 1 else next(iter(SOLO))
    names = [STRONGEST] * players
    trace = {"seed": 0, "strategies": names}
    game = Game(rules, players, mode, tuple(_clans_by_power(rules)), (), trace=trace)
    sets = _sample(rules, players)
    return {
        "names": game_facts(game),
        "seats": seats_at(game, names, 0, rules.edition),
        "usual": list(rules.solo_clans) if mode in SOLO else sets[0],
    }


def _plays(name: str, players: list[int], rules: dict[str, Rules]) -> bool:
    """Whether a population is a single strategy that this process knows."""
    try:
        for edition_rules in rules.values():
            for number in players:
                LineUp.parse(name, number, edition_rules)
    except WrongInput:
        return False
    return is_one_strategy(name)


def _table(rules: Rules, players: list[int]) -> dict[str, Any]:
    """The rules in force: changes to the edition, clans, ages and clan sets."""
    order = _clans_by_power(rules)
    return {
        "base": list(_changes(rules)),
        "order": order,
        "leads": [clan for clan in order if clan in leading_clans(rules)],
        "alike": [list(words) for words in _alike(rules)],
        "ages": {number: rules.ages(number) for number in players},
        "samples": {
            rules.clans_in_play(number): _sample(rules, number) for number in sorted(players)
        },
    }


def _alike(rules: Rules) -> Iterator[tuple[str, ...]]:
    """Names of clans and words of the editions that mean the same, for the search of values."""
    for edition in EDITIONS:
        other = load_rules(edition)
        pairs = clans_by_power(rules, other) | asdict(other.words)
        yield from ((ours, theirs.lower()) for ours, theirs in pairs.items() if ours != theirs)


def _sample(rules: Rules, players: int) -> list[ClanSet]:
    """The clan sets that take turns at tables of `players` players."""
    design = Design(sample=sets_up_to(CLAN_SETS, rules, players))
    return design.sets(rules, rules.clans_in_play(players))


def _clans_by_power(rules: Rules) -> list[str]:
    """The clans in the order of their powers, by which cards are numbered."""
    return sorted(rules.clans, key=rules.power_of)


def _changes(rules: Rules) -> Iterator[str]:
    """The changes to an edition, in the form of the command line."""
    for clan, change in rules.clan_changes.items():
        yield f"clans.{clan}={value_text(change)}"
    for name in rules.changed_values:
        yield f"{name}={value_text(rules.value(name))}"
