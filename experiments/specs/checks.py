"""Checks that the parts of a spec fit together: clan sets, editions, player counts, strategies.

Each check reports all problems that it finds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import comb

from ethnos_sim.experiments.specs.parts import (
    ONE_SIZE,
    ClanSets,
    Design,
    RuleSettings,
    SeatedStrategies,
)
from ethnos_sim.experiments.specs.problems import Problem
from ethnos_sim.simulator.rules import Rules, rules_by_edition, unknown_clan_hint
from ethnos_sim.simulator.tables.modes import SOLO, SOLO_EDITION, check_players
from ethnos_sim.simulator.utilities.errors import EthnosError, InvalidGame, RulesError, WrongInput
from ethnos_sim.strategies import LineUp, get_strategy


def repeated(values: Sequence[str | int]) -> Iterator[Problem]:
    """A problem for each value that repeats an earlier one."""
    for place, value in enumerate(values):
        if value in values[:place]:
            yield (place,), f"'{value}' is given twice"


def makes_game(edition: str, mode: str, players: int) -> bool:
    """Whether this number of players can play this mode: one player in solo, else two or more."""
    try:
        check_players(players, mode, edition)
    except InvalidGame:
        return False
    return True


def mode_problems(
    modes: Sequence[str], editions: Sequence[str], player_counts: Sequence[int]
) -> Iterator[Problem]:
    """Problems of modes, editions and player counts that can play nothing in this spec."""
    for place, mode in enumerate(modes):
        if mode in SOLO and SOLO_EDITION not in editions:
            yield ("modes", place), f"'{mode}' belongs to the {SOLO_EDITION} edition"
        elif mode in SOLO and 1 not in player_counts:
            yield ("modes", place), f"'{mode}' is for 1 player; add 1 to 'players'"
        elif mode not in SOLO and max(player_counts) < 2:
            yield ("modes", place), f"'{mode}' needs 2 to 6 players"
    only_solo = set(modes) <= set(SOLO)
    for place, edition in enumerate(editions):
        if only_solo and edition != SOLO_EDITION and SOLO_EDITION in editions:
            yield ("editions", place), f"the {edition} edition has no solo mode"
    for place, players in enumerate(player_counts):
        if players == 1 and not set(modes) & set(SOLO):
            solo = ", ".join(SOLO)
            yield ("players", place), f"1 player needs a solo mode in 'modes' ({solo})"
        elif players > 1 and only_solo:
            problem = f"{players} players play no solo mode; add 'standard' to 'modes'"
            yield ("players", place), problem


def clan_set_problems(
    clan_sets: ClanSets, editions: Sequence[Rules], player_counts: Sequence[int]
) -> Iterator[Problem]:
    """Problems of designs that cannot make clan sets of each size for each edition."""
    checked: list[Design] = []
    needed = {(rules, rules.clans_in_play(n)) for rules in editions for n in player_counts}
    sizes = sorted({size for _, size in needed})
    for size in sizes:
        here = [rules for rules in editions if (rules, size) in needed]
        path, design = clan_sets.for_size(size)
        if design is None:
            table = "five" if size <= 5 else "six"
            yield (table,), f"is missing: a player count needs {size} clans"
            continue
        if design.given is not None and design not in checked:
            checked.append(design)
            wanted = sizes if design is clan_sets else [size]
            for below, problem in _given_problems(design.given, editions, wanted, needed):
                yield (*path, *below), problem
        for rules in here:
            if design.with_clan is not None and design.with_clan not in rules.clans:
                hint = unknown_clan_hint(design.with_clan, rules)
                text = f"the {rules.title} has no clan '{design.with_clan}'{hint}"
                yield (*path, "with"), text
        for kind in design.kinds:
            if ONE_SIZE.get(kind, size) != size:
                text = f"has sets of {ONE_SIZE[kind]}, and a player count needs {size} clans"
                yield path, f"'{kind}' {text}"
        total = min(comb(len(rules.clans), size) for rules in here)
        if design.sample is not None and design.sample > total:
            yield (*path, "sample"), f"{design.sample} sets of {size}; there are only {total}"


def _given_problems(
    given: Sequence[Sequence[str]],
    editions: Sequence[Rules],
    sizes: Sequence[int],
    wanted: Collection[tuple[Rules, int]],
) -> list[Problem]:
    """Problems of given clan sets, with their places in the list."""
    all_clans = [clan for rules in editions for clan in rules.clans]
    needed = " or ".join(str(size) for size in sizes)
    both = "; give 'five' and 'six' their own sets" * (len(sizes) > 1)
    usable = set()
    problems: list[Problem] = []
    for place, clans in enumerate(given):
        unknown = [clan for clan in clans if clan not in all_clans]
        where = ("given", place)
        for clan in unknown:
            hint = unknown_clan_hint(clan, *editions)
            problems.append((where, f"there is no clan '{clan}'{hint}"))
        problems += [((*where, *path), f"the clan {said}") for path, said in repeated(clans)]
        if len(clans) not in sizes:
            said = f"these player counts need {needed} clans, not {len(clans)}{both}"
            problems.append((where, said))
        homes = [rules for rules in editions if set(clans) <= set(rules.clans)]
        if not unknown and not homes:
            problems.append((where, "mixes clans of different editions"))
        if any(set(clans) == set(before) for before in given[:place]):
            problems.append((where, "this set is given twice"))
        usable |= {(rules.edition, len(clans)) for rules in homes}
    return problems or [
        (("given",), f"holds no set of {size} clans of the {rules.title}{both}")
        for rules in editions
        for size in sizes
        if (rules, size) in wanted and (rules.edition, size) not in usable
    ]


def strategy_problems(
    line_ups: Sequence[SeatedStrategies], editions: Sequence[Rules]
) -> Iterator[Problem]:
    """Problems of strategies: unknown, or impossible in an edition of the spec."""
    for place, line_up in enumerate(line_ups):
        for seat, strategy in enumerate(line_up.strategies):
            try:
                get_strategy(strategy.partition(":")[0])
                for rules in editions:
                    _check_seated(line_up, LineUp.parse([strategy], players=1, rules=rules))
            except EthnosError as error:
                yield (place, "strategies", seat), str(error)


def _check_seated(line_up: SeatedStrategies, seated: LineUp) -> None:
    """Raise WrongInput if a seat that gives up a drawn clan gives up one of its own."""
    if line_up.gives_up and seated.gave_up:
        raise WrongInput(f"'{seated.gave_up[0]}' gives up a clan already; leave out gives_up")


def seat_problems(
    line_ups: Sequence[SeatedStrategies], player_counts: Sequence[int]
) -> Iterator[Problem]:
    """Problems of line-ups that do not fit the seats or the player counts."""
    for place, line_up in enumerate(line_ups):
        for index, players in enumerate(line_up.players or ()):
            if player_counts and players not in player_counts:
                where = (place, "players", index)
                yield where, f"the spec does not play with {players} players"
        for players in filter(line_up.is_for, player_counts):
            for path, said in _seating(line_up, players):
                yield (place, *path), said
    for players in player_counts:
        if not any(line_up.is_for(players) for line_up in line_ups):
            yield (), f"none is for {players} players"


def _seating(line_up: SeatedStrategies, players: int) -> Iterator[Problem]:
    mend = "give the line-up a list of 'players'"
    strategies = line_up.strategies
    if len(strategies) > players:
        problem = f"{len(strategies)} strategies for {players} players; {mend}"
        yield ("strategies",), problem
    if line_up.gives_up and players == 1:
        yield ("gives_up",), f"needs 2 players or more; {mend}"


def rule_set_problems(
    rule_sets: Sequence[RuleSettings], editions: Sequence[str]
) -> Iterator[Problem]:
    """Problems of rule sets: wrong values, missing or repeated names, or equal rules."""
    name_of: dict[tuple[str, ...], str] = {}
    for place, rules in enumerate(rule_sets):
        if len(rule_sets) > 1 and not rules.name:
            yield (place, "name"), "is missing: each of several rule sets needs one"
        if rules.name and any(rules.name == before.name for before in rule_sets[:place]):
            yield (place, "name"), f"'{rules.name}' is given twice"
        try:
            resolved = rules_by_edition(editions, rules.settings, rules.variants)
        except RulesError as error:
            for problem in error.problems:
                yield (place,), problem
            continue
        same = name_of.setdefault(tuple(e.rules_id for e in resolved.values()), rules.name)
        if same != rules.name:
            yield (place,), f"'{rules.name}' has the same rules as '{same}'"
