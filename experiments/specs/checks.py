"""Checks that the parts of a spec fit together: modes, clan sets, line-ups and rule sets.

Each check raises ValueError with a sentence for the first problem that it finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ethnos_sim.experiments.specs.parts import ClanSetDesigns, RuleSettings, SpecLineUp
from ethnos_sim.simulator.rules import Rules, rules_by_edition, unknown_clan_hint
from ethnos_sim.simulator.tables.modes import SOLO, SOLO_EDITION, check_players
from ethnos_sim.simulator.utilities.errors import EthnosError, InvalidGame, WrongInput
from ethnos_sim.strategies import LineUp, get_strategy


def is_playable(edition: str, mode: str, players: int) -> bool:
    """Whether this number of players can play this mode: one player in solo, else two or more."""
    try:
        check_players(players, mode, edition)
    except InvalidGame:
        return False
    return True


def check_modes(editions: Sequence[str], modes: Sequence[str], players: Sequence[int]) -> None:
    """Check that every edition, mode and number of players is in a combination that is playable."""
    games = [game for game in product(editions, modes, players) if is_playable(*game)]
    for index, values in enumerate((editions, modes, players)):
        for value in values:
            if value not in [game[index] for game in games]:
                what = ("the edition", "the mode", "the number of players")[index]
                raise ValueError(
                    f"{what} {value} cannot be played with the other keys: the modes "
                    f"{', '.join(SOLO)} are for 1 player of the {SOLO_EDITION} edition, other "
                    "modes for 2 to 6 players"
                )


def check_clan_sets(
    clan_sets: ClanSetDesigns | None, all_rules: Sequence[Rules], player_counts: Sequence[int]
) -> None:
    """Check that a design makes clan sets for all rules and numbers of players."""
    needed = {
        (rules, rules.clans_in_play(n)) for rules in all_rules for n in player_counts if n > 1
    }
    if (clan_sets is None) == bool(needed):
        raise ValueError("is missing" if needed else "is not for solo modes, whose clans are fixed")
    for clans in clan_sets.listed_sets if clan_sets is not None else ():
        _check_listed_set(clans, all_rules, {size for _, size in needed})
    for rules, size in sorted(needed, key=lambda need: (need[1], need[0].edition)):
        assert clan_sets is not None, "it was just checked"
        try:
            sets = clan_sets.design_for_size(size).sets_of_size(rules, size)
        except WrongInput as error:
            raise ValueError(str(error)) from error
        if not sets:
            raise ValueError(
                f"holds no set of {size} clans of the {rules.title}; 'five' and 'six' may have "
                "their own sets"
            )


def _check_listed_set(clans: Sequence[str], all_rules: Sequence[Rules], sizes: set[int]) -> None:
    """Check that a listed set has clans of one edition, and a size that a player count needs."""
    for clan in clans:
        if not any(clan in rules.clans for rules in all_rules):
            raise ValueError(f"there is no clan '{clan}'{unknown_clan_hint(clan, *all_rules)}")
    if len(clans) not in sizes or not any(set(clans) <= set(rules.clans) for rules in all_rules):
        needed = " or ".join(map(str, sorted(sizes)))
        raise ValueError(
            f"no table has the set {', '.join(clans)}: these player counts need {needed} clans of "
            "one edition"
        )


def check_line_ups(
    line_ups: Sequence[SpecLineUp], all_rules: Sequence[Rules], player_counts: Sequence[int]
) -> None:
    """Check that strategies are known, and that line-ups fit the seats of every player count."""
    for line_up in line_ups:
        for strategy in line_up.strategies:
            try:
                get_strategy(strategy.partition(":")[0])
                seated = [LineUp.parse([strategy], players=1, rules=rules) for rules in all_rules]
            except EthnosError as error:
                raise ValueError(str(error)) from error
            if line_up.gives_up and any(parsed.restricted_names for parsed in seated):
                raise ValueError(f"'{strategy}' gives up a clan already; leave out gives_up")
        for players in line_up.players or ():
            if player_counts and players not in player_counts:
                raise ValueError(f"the spec does not play with {players} players")
    for players in player_counts:
        here = [line_up for line_up in line_ups if line_up.is_for(players)]
        if not here:
            raise ValueError(f"none is for {players} players")
        for line_up in here:
            mend, count = "give the line-up a list of 'players'", len(line_up.strategies)
            if count > players:
                raise ValueError(f"{count} strategies for {players} players; {mend}")
            if line_up.gives_up and players == 1:
                raise ValueError(f"gives_up needs 2 players or more; {mend}")


def check_rule_sets(rule_sets: Sequence[RuleSettings], editions: Sequence[str]) -> None:
    """Check that rule sets change only known values, and differ in their names and rules."""
    name_of: dict[tuple[str, ...], str] = {}
    for rules in rule_sets:
        if len(rule_sets) > 1 and not rules.name:
            raise ValueError("each of several rule sets needs a name")
        if [other.name for other in rule_sets].count(rules.name) > 1:
            raise ValueError(f"the name '{rules.name}' is given twice")
        resolved = rules_by_edition(editions, rules.settings, rules.variants)
        same = name_of.setdefault(tuple(e.rules_id for e in resolved.values()), rules.name)
        if same != rules.name:
            raise ValueError(f"'{rules.name}' has the same rules as '{same}'")
