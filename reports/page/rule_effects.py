"""What a rule set does to a table, in one plain line: the first seat, the length, the clans."""

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
from ethnos_sim.reports.page.answers import TURNS
from ethnos_sim.reports.page.balance import better_side
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.measures import FIRST_SEAT, changes
from ethnos_sim.reports.rendering.numbers import capital, clan_label
from ethnos_sim.simulator.rules import Rules, bundled_variants, load_rules, load_variant

SAME = 0.005
"""A change of a winning chance below this is none, in games of 100."""


@cache
def house_rule(rules: Rules) -> str:
    """The bundled house rule that makes these rules of an edition, in words; "" for others."""
    for name in bundled_variants():
        variant = load_variant(name)
        fits = variant.edition in (None, rules.edition)
        if fits and load_rules(rules.edition, name).rules_id == rules.rules_id:
            return variant.description.partition(":")[0].partition(" (")[0].rstrip(".")
    return ""


def effects(page: PageGames, reference: Situation, changed: Situation) -> str:
    """What changes from the reference rules to a rule set, in a sentence.

    For example: "Makes the first seat fair; games 9 % longer; no clan's worth changes by more than
    1 of 100 games."
    """
    parts = (
        *_first_seat(page, reference, changed),
        *_length(page, reference, changed),
        *_clans(page, reference, changed),
    )
    return f"{capital('; '.join(parts))}." if parts else ""


def _first_seat(page: PageGames, reference: Situation, changed: Situation) -> Iterator[str]:
    """Whether the first seat becomes fair, or fairer."""
    compared = changes(page, (reference, changed)).get(FIRST_SEAT)
    if compared is None:
        return
    before, after = map(verdict_on, (compared.first, compared.second))
    if before is Verdict.MATTERS and after is Verdict.ALIKE:
        yield "makes the first seat fair"
    elif compared.verdict is Verdict.MATTERS:
        yield f"makes the first seat {'fairer' if better_side(compared) else 'less fair'}"
    elif compared.verdict is Verdict.OPEN:
        yield "too few games to compare the first seat"
    else:
        yield "leaves the first seat as it is"


def _length(page: PageGames, reference: Situation, changed: Situation) -> Iterator[str]:
    """By how much games become longer, in percent."""
    before, after = (page.number_table.number(side, *TURNS) for side in (reference, changed))
    if before is None or after is None or not before.value or not after.value:
        return
    percent = round(100 * (after.value / before.value - 1))
    longer = "longer" if percent > 0 else "shorter"
    yield f"games {abs(percent)} % {longer}" if percent else "games are as long"


def _clans(page: PageGames, reference: Situation, changed: Situation) -> Iterator[str]:
    """The largest change of what a clan is worth, or a bound for all clans at once."""
    sides = (page.number_table.part(side, WORTH.name) for side in (reference, changed))
    change = compare_numbers(*sides, same_deals=page.same_deals)
    change = change.at(change.trusted)
    if not len(change):
        return
    margin = margin_of(WORTH.name, "", changed.players)
    largest = int(np.argmax(np.abs(change.value)))
    bound = float(np.abs(change.interval(len(change))).max())
    if family_verdicts(change, margin)[largest] is Verdict.MATTERS:
        moved = 100 * change.value[largest]
        clan, more = clan_label(change.names[largest]), "more" if moved > 0 else "less"
        yield f"giving up the {clan} costs {abs(moved):.0f} of 100 games {more}"
    elif bound < SAME:
        yield "no clan's worth changes"
    elif bound <= 2 * margin:
        yield f"no clan's worth changes by more than {ceil(100 * bound)} of 100 games"
    else:
        yield "too few games to compare the clans"
