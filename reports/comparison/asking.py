"""`compare` for notebooks and programs: the two sides as users name them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath

from joblib import cpu_count

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.storage.results import Results
from ethnos_sim.reports.comparison.played import GAMES, RuleChoice, Setup, compare_rules
from ethnos_sim.reports.comparison.sides import Comparison, Side, compare_sides
from ethnos_sim.reports.evidence.gathering import gather_results
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.modes import SOLO, STANDARD
from ethnos_sim.simulator.rules import Rules

Comparable = Rules | Results | str | PathLike[str]
"""A side as users name it: rules, or results, or a folder (as a path) that a sweep made."""


def compare(
    first: Comparable,
    second: Comparable,
    *,
    players: int | None = None,
    strategies: str | Sequence[str] = STRONGEST,
    clans: Sequence[str] | None = None,
    mode: str = STANDARD,
    games: int = GAMES,
    power: bool = True,
    seed: int = 1,
    jobs: int | None = None,
    quiet: bool = False,
) -> Comparison:
    """What differs between two rule sets, played now on the same deals, or two sweeps' results.

    Args:
        first: what the second side is compared with: a `Rules`, a word such as "second" or
            "second+recruitment+bear.on_take=2", a `Results`, or a folder as a `Path`.
        second: the other side, rules like the first or results like the first.
        players: 2 to 6, four unless given; one in the solo modes. This and what follows is for
            rules that are played now.
        strategies: who plays; the strongest in all seats unless given.
        clans: the clans in play; twelve sets spread evenly over all clans unless given.
        mode: the mode of a side that names none.
        games: in all, half for each side; of those three in four are for clan power, by restricted
            play.
        power: whether to measure clan power (restricted play).
        seed: master seed of both sides.
        jobs: threads to play with, all cores unless given; the result does not depend on it.
        quiet: show no progress.

    Returns:
        The comparison; `frame()` has its numbers.

    Raises:
        WrongInput: the sides make no game, or have nothing in common.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import compare
        >>> found = compare("second", "second+bear.on_take=2", games=2000, power=False, quiet=True)
        >>> found.frame().columns[4:9]
        ['population', 'estimand', 'name', 'first', 'second']
    """
    if isinstance(first, Rules | str) != isinstance(second, Rules | str):
        raise WrongInput("rules are compared with rules, and results with results")
    if not isinstance(first, Rules | str) and not isinstance(second, Rules | str):
        return compare_sides(_side(first), _side(second))
    chosen = [_choice(side, mode) for side in (first, second) if isinstance(side, Rules | str)]
    setup = Setup(
        players=players if players is not None else 1 if chosen[0].mode in SOLO else 4,
        strategies=strategies.split(",") if isinstance(strategies, str) else strategies,
        clans=clans,
        seed=seed,
        games=games,
        power=power,
    )
    return compare_rules(chosen[0], chosen[1], setup, jobs=jobs or cpu_count(), quiet=quiet)


def _side(asked: Results | PathLike[str]) -> Side:
    """A side that was played already."""
    if isinstance(asked, Results):
        return Side(str(asked.folder), gather_results([asked]))
    return Side.of_folder(fspath(asked))


def _choice(rules: Rules | str, mode: str) -> RuleChoice:
    """The rules of a side that is played now."""
    if isinstance(rules, Rules):
        return RuleChoice.of_rules(rules, mode)
    return RuleChoice.parse(rules, mode)
