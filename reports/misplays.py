"""Sentences on clans that strategies misplay, because their code ignores values of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ethnos_sim.simulator.narration.game import name_in_words
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import list_strategies


def misplay_sentences(entries: Iterable[str], rules: Rules, rule_set: str = "") -> Iterator[str]:
    """A sentence for each entry and each clan (or the table) whose new values the entry ignores.

    Args:
        entries: names with settings; strategies that are not loaded are left out.
        rules: the rules in force.
        rule_set: the name of the rule set, if there are several.
    """
    known = {strategy.name: strategy for strategy in list_strategies()}
    of = f" of {rule_set}" if rule_set else ""
    for entry in dict.fromkeys(entries):
        strategy = known.get(entry.partition(":")[0])
        for clan, new in strategy.ignored_values(rules).items() if strategy else ():
            yield (
                f"“{entry}” ignores what is new about the {name_in_words(clan)}{of} "
                f"({', '.join(new)}): its games only show how it misplays this."
            )
