"""The request for a search: rules, values to move, and the number to bring to its target.

The number is a headline number (`ethnos_sim.reports.numbers`): the worth of all clans or of one,
the edges of all seats, or one number of the shape of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.balancing.space import Dimension, Space, make_space
from ethnos_sim.experiments.balancing.target import Target
from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import join_tables
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, label_of, margin_of
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.simulator.rules import Rules, RuleSet
from ethnos_sim.simulator.tables.modes import SOLO, check_players
from ethnos_sim.simulator.tables.table import leading_clans
from ethnos_sim.simulator.utilities.errors import WrongInput, name_hint
from ethnos_sim.strategies import LineUp

SPREAD, SEATS = "clan-spread", "seat-edge"

MOST_FACTORS = 40
"""The most numbers that a search moves; the response surface has a term for every pair of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The number that a search brings to its target.

    Attributes:
        about: the number in words, as in "the spread of the clans' worth".
        estimand: the name of the estimand whose rows are measured.
        names: the names of these rows.
        unit: the unit of the distance from the target.
        target: the target of these rows.
    """

    about: str
    estimand: str
    names: tuple[str, ...]
    unit: str
    target: Target

    @property
    def of_clans(self) -> bool:
        """Whether it is measured in games in which every seat gives up a clan."""
        return self.estimand == WORTH.name

    def rows(self, evidence: Evidence) -> list[Estimates]:
        """The measured rows of each rule set, in the order of the plan."""
        return [self._rows(evidence, situation) for situation in evidence.all_situations]

    def _rows(self, evidence: Evidence, situation: Situation) -> Estimates:
        tables = ESTIMANDS[self.estimand].found(evidence, situation)
        found = join_tables(tables).rows_named(self.names)
        # Rows of few games get intervals too: the search weighs rows by their errors.
        return replace(found, events=np.full(len(found), MIN_EVENTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A checked request for a search. Made by `request`.

    Attributes:
        rule_set: the rules that the search begins with.
        space: the rule sets that it may reach.
        aim: the number that it brings to its target.
        strategies: the line-up of the search.
        validator: the line-up of the second validation.
        games: games in all.
        seed: the seed of the search and of its deals.
    """

    rule_set: RuleSet
    space: Space
    aim: Aim
    strategies: tuple[str, ...]
    validator: tuple[str, ...]
    games: int
    seed: int

    @property
    def players(self) -> int:
        """The number of players."""
        return self.space.players


def request(
    values: Sequence[str],
    *,
    target: str,
    rule_set: RuleSet,
    players: int,
    strategies: Sequence[str],
    validator: Sequence[str],
    games: int,
    seed: int,
) -> Request:
    """Check a request, and look up everything that it names.

    Args:
        values: the values to move, as in "bear.on_take=0..6".
        target: the number and its goal, as in "turns=250".
        rule_set: the rules that the search begins with.
        players: the number of players.
        strategies: the line-up of the search.
        validator: the line-up of the second validation.
        games: games in all.
        seed: the seed.

    Raises:
        WrongInput: a value, the number or a strategy is not known, or nothing moves.
    """
    if rule_set.mode in SOLO:
        raise WrongInput("clans and seats are made equal in the standard or recruitment mode")
    check_players(players, rule_set.mode, rule_set.edition)
    rules = rule_set.rules()
    if not values:
        raise WrongInput(
            "name the values to move with --vary NAME; `ethnos-sim rules show` lists them"
        )
    space = make_space(rules, list(map(Dimension.parse, values)), players)
    if len(space.factors) > MOST_FACTORS:
        raise WrongInput(f"a search moves {MOST_FACTORS} numbers at most, not {len(space.factors)}")
    for names in (strategies, validator):
        LineUp.parse(list(names), players, rules)
    return Request(
        rule_set=rule_set,
        space=space,
        aim=aim_of(target, rules, players),
        strategies=tuple(strategies),
        validator=tuple(validator),
        games=games,
        seed=seed,
    )


def aim_of(text: str, rules: Rules, players: int) -> Aim:
    """Read a number and its goal, NUMBER or NUMBER=GOAL; WrongInput for others."""
    word, equals, written = text.partition("=")
    word = word.strip()
    try:
        goal = float(written) if equals else 0.0
    except ValueError:
        raise WrongInput(f"'{written}' is not a goal for '{word}'") from None
    named, _, clan = word.replace("_", "-").partition(":")
    if named in (SPREAD, SEATS) and goal:
        raise WrongInput(f"the target '{named}' has the goal 0 and no other")
    if named == SPREAD:
        margin = CLAN_SPREAD.margin_of(WORTH.name, players)
        return Aim(
            about="the spread of the clans' worth",
            estimand=WORTH.name,
            names=leading_clans(rules),
            unit="share_spread",
            target=Target(spread=True, margin=margin),
        )
    if named == SEATS:
        return Aim(
            about="the distance of the seats from a fair share",
            estimand=SEAT_EDGE.name,
            names=ORDINALS[:players],
            unit="share_spread",
            target=Target(margin=margin_of(SEAT_EDGE.name, ORDINALS[0], players)),
        )
    if named == WORTH.name and clan in leading_clans(rules):
        return _one(WORTH.name, clan, goal, players)
    shape = _shape(rules.ages(players))
    if word in shape and equals:
        return _one(GAME_SHAPE.name, word, goal, players)
    if word in shape:
        raise WrongInput(f"the target '{word}' needs a goal, as in {word}=250")
    clans = [f"{WORTH.name}:{clan}" for clan in leading_clans(rules)]
    known = name_hint(word, [SPREAD, SEATS, *clans, *shape])
    raise WrongInput(f"there is no number '{word}' to aim for{known}")


def _one(estimand: str, name: str, goal: float, players: int) -> Aim:
    """One number that should reach a goal."""
    unit = ESTIMANDS[estimand].unit_of(name)
    level = unit.removesuffix("_difference")
    return Aim(
        about=f"the distance from {goal:g} of “{label_of(estimand, name)}”",
        estimand=estimand,
        names=(name,),
        unit="share_spread" if level == "share" else level,
        target=Target(goal=goal, margin=margin_of(estimand, name, players)),
    )


def _shape(ages: int) -> list[str]:
    """The numbers of GAME_SHAPE for a game with this number of ages."""
    return [name for name in GAME_SHAPE.numbers if not name.endswith(f"_{ages}")]
