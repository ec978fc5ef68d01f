"""The request for a search: the rules, the values to move, and the aim.

The aim is about headline numbers (`ethnos_sim.reports.numbers`): the worth of all clans or of one
clan, the edges of all seats, or one number of the shape of a game.
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

CLAN_SPREAD_TARGET, SEAT_EDGE_TARGET = "clan-spread", "seat-edge"

MOST_FACTORS = 40
"""The most factors of a search; the surface has a term for each pair of factors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The numbers that a search measures, and their target.

    Attributes:
        description: the distance in words, as in "the spread of the clans' worth".
        estimand: the name of the estimand of the numbers.
        names: the names of the numbers, such as clans.
        unit: the unit of the distance from the target.
        target: the target of the numbers.
    """

    description: str
    estimand: str
    names: tuple[str, ...]
    unit: str
    target: Target

    @property
    def is_worth(self) -> bool:
        """Whether the numbers come from games in which every seat gives up a clan."""
        return self.estimand == WORTH.name

    def estimates(self, evidence: Evidence) -> list[Estimates]:
        """The numbers of each rule set, in the order of the plan."""
        return [self._estimates_in(evidence, situation) for situation in evidence.all_situations]

    def _estimates_in(self, evidence: Evidence, situation: Situation) -> Estimates:
        tables = ESTIMANDS[self.estimand].estimates_in(evidence, situation)
        found = join_tables(tables).rows_named(self.names)
        # Numbers of few games need no minimum of events: the search weighs them by their errors.
        return replace(found, events=np.full(len(found), MIN_EVENTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A checked request for a search. Made by `check_request`.

    Attributes:
        rule_set: the baseline.
        space: the points that the search may choose.
        aim: the numbers that it measures, and their target.
        strategies: the line-up of the search.
        validators: the line-up of the second validation.
        games: games in all.
        seed: the seed of the search and of its deals.
    """

    rule_set: RuleSet
    space: Space
    aim: Aim
    strategies: tuple[str, ...]
    validators: tuple[str, ...]
    games: int
    seed: int

    @property
    def players(self) -> int:
        """The number of players."""
        return self.space.players


def check_request(
    values: Sequence[str],
    *,
    target: str,
    rule_set: RuleSet,
    players: int,
    strategies: Sequence[str],
    validators: Sequence[str],
    games: int,
    seed: int,
) -> Request:
    """Check the arguments of a search; return them as a request.

    Args:
        values: the values to move, as in "bear.on_take=0..6".
        target: the number and its goal, as in "turns=250".
        rule_set: the baseline.
        players: the number of players.
        strategies: the line-up of the search.
        validators: the line-up of the second validation.
        games: games in all.
        seed: the seed.

    Raises:
        WrongInput: a value, the number or a strategy is not known, or nothing moves.
    """
    if rule_set.mode in SOLO:
        raise WrongInput("a search plays the standard or recruitment mode, not solo")
    check_players(players, rule_set.mode, rule_set.edition)
    rules = rule_set.rules()
    if not values:
        raise WrongInput(
            "name the values to move with --vary NAME; `ethnos-sim rules show` lists them"
        )
    space = make_space(rules, list(map(Dimension.parse, values)), players)
    if len(space.factors) > MOST_FACTORS:
        raise WrongInput(f"a search moves {MOST_FACTORS} numbers at most, not {len(space.factors)}")
    for names in (strategies, validators):
        LineUp.parse(list(names), players, rules)
    return Request(
        rule_set=rule_set,
        space=space,
        aim=parse_aim(target, rules, players),
        strategies=tuple(strategies),
        validators=tuple(validators),
        games=games,
        seed=seed,
    )


def parse_aim(text: str, rules: Rules, players: int) -> Aim:
    """Read the text NUMBER or NUMBER=GOAL; WrongInput if it is neither."""
    word, equals, written = text.partition("=")
    word = word.strip()
    try:
        goal = float(written) if equals else 0.0
    except ValueError:
        raise WrongInput(f"'{written}' is not a goal: the goal of '{word}' is a number") from None
    named, _, clan = word.replace("_", "-").partition(":")
    if named in (CLAN_SPREAD_TARGET, SEAT_EDGE_TARGET) and goal:
        raise WrongInput(f"the target '{named}' always has the goal 0; leave the goal out")
    if named == CLAN_SPREAD_TARGET:
        margin = CLAN_SPREAD.margin_of(WORTH.name, players)
        return Aim(
            description="the spread of the clans' worth",
            estimand=WORTH.name,
            names=leading_clans(rules),
            unit="share_spread",
            target=Target(wants_equality=True, margin=margin),
        )
    if named == SEAT_EDGE_TARGET:
        return Aim(
            description="the distance of the seats from a fair share",
            estimand=SEAT_EDGE.name,
            names=ORDINALS[:players],
            unit="share_spread",
            target=Target(margin=margin_of(SEAT_EDGE.name, ORDINALS[0], players)),
        )
    if named == WORTH.name and clan in leading_clans(rules):
        return _single_number_aim(WORTH.name, clan, goal, players)
    shape = _shape_numbers(rules.ages(players))
    if word in shape and equals:
        return _single_number_aim(GAME_SHAPE.name, word, goal, players)
    if word in shape:
        raise WrongInput(f"the target '{word}' needs a goal, as in {word}=250")
    clans = [f"{WORTH.name}:{clan}" for clan in leading_clans(rules)]
    known = name_hint(word, [CLAN_SPREAD_TARGET, SEAT_EDGE_TARGET, *clans, *shape])
    raise WrongInput(f"there is no target '{word}'{known}")


def _single_number_aim(estimand: str, name: str, goal: float, players: int) -> Aim:
    """The aim that one number reaches a goal."""
    unit = ESTIMANDS[estimand].unit_of(name)
    level = unit.removesuffix("_difference")
    return Aim(
        description=f"the distance from {goal:g} of “{label_of(estimand, name)}”",
        estimand=estimand,
        names=(name,),
        unit="share_spread" if level == "share" else level,
        target=Target(goal=goal, margin=margin_of(estimand, name, players)),
    )


def _shape_numbers(ages: int) -> list[str]:
    """The names of the numbers of GAME_SHAPE in a game with this number of ages."""
    return [name for name in GAME_SHAPE.numbers if not name.endswith(f"_{ages}")]
