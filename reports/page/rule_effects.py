"""What a rule set changes, in one sentence: the first seat, the games' length, the clans."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.verdict import Verdict, family_verdicts
from ethnos_sim.reports.comparison.differences import compare_numbers
from ethnos_sim.reports.estimators.catalog import margin_of, verdict_on
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.page.answers import MEAN_TURNS
from ethnos_sim.reports.page.balance import more_balanced_side
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.measures import FIRST_SEAT, measure_changes
from ethnos_sim.reports.rendering.numbers import capitalized, clan_label
from ethnos_sim.simulator.rules import Rules, bundled_variants, load_rules, load_variant

NO_CHANGE = 0.005
"""A change of a share of games by less than this counts as no change."""


@cache
def house_rule_summary(rules: Rules) -> str:
    """The summary of the bundled house rule that makes these rules; "" if none does."""
    for name in bundled_variants():
        variant = load_variant(name)
        fits = variant.edition in (None, rules.edition)
        if fits and load_rules(rules.edition, name).rules_id == rules.rules_id:
            return variant.description.partition(":")[0].partition(" (")[0].rstrip(".")
    return ""


def effect_sentence(page: PageGames, reference: Situation, changed: Situation) -> str:
    """A sentence on what a rule set changes, compared with the reference rules.

    For example: "Makes the first seat fair; games 9 % longer; no clan's worth changes by more than
    1 of 100 games."
    """
    parts = (
        *_seat_clauses(page, reference, changed),
        *_length_clauses(page, reference, changed),
        *_clan_clauses(page, reference, changed),
    )
    return f"{capitalized('; '.join(parts))}." if parts else ""


def _seat_clauses(page: PageGames, reference: Situation, changed: Situation) -> Iterator[str]:
    """A clause that says whether the first seat becomes fair, or fairer."""
    compared = measure_changes(page, (reference, changed)).get(FIRST_SEAT)
    if compared is None:
        return
    before, after = map(verdict_on, (compared.first, compared.second))
    if before is Verdict.MATTERS and after is Verdict.ALIKE:
        yield "makes the first seat fair"
    elif compared.verdict is Verdict.MATTERS:
        yield f"makes the first seat {'fairer' if more_balanced_side(compared) else 'less fair'}"
    elif compared.verdict is Verdict.OPEN:
        yield "too few games to compare the first seat"
    else:
        yield "leaves the first seat as it is"


def _length_clauses(page: PageGames, reference: Situation, changed: Situation) -> Iterator[str]:
    """A clause that says by how many percent games become longer or shorter, if it is known."""
    before, after = (page.number_table.number(side, *MEAN_TURNS) for side in (reference, changed))
    if before is None or after is None or not before.value or not after.value:
        return
    percent = round(100 * (after.value / before.value - 1))
    longer = "longer" if percent > 0 else "shorter"
    yield f"games {abs(percent)} % {longer}" if percent else "games are as long"


def _clan_clauses(page: PageGames, reference: Situation, changed: Situation) -> Iterator[str]:
    """A clause on the clan whose worth changes most, or on the limit of all clans' changes."""
    sides = (page.number_table.estimates(side, WORTH.name) for side in (reference, changed))
    change = compare_numbers(*sides, same_deals=page.same_deals)
    change = change.rows_at(change.has_interval)
    if not len(change):
        return
    margin = margin_of(WORTH.name, "", changed.players)
    largest = int(np.argmax(np.abs(change.value)))
    bound = float(np.abs(change.interval(len(change))).max())
    if family_verdicts(change, margin)[largest] is Verdict.MATTERS:
        moved = 100 * change.value[largest]
        clan, more = clan_label(change.names[largest]), "more" if moved > 0 else "less"
        yield f"giving up the {clan} costs {abs(moved):.0f} of 100 games {more}"
    elif bound < NO_CHANGE:
        yield "no clan's worth changes"
    elif bound <= 2 * margin:
        yield f"no clan's worth changes by more than {ceil(100 * bound)} of 100 games"
    else:
        yield "too few games to compare the clans"
