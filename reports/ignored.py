"""Say which clans the strategies at a table misplay, because their code ignores new values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ethnos_sim.simulator.narration.game import name_in_words
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import list_strategies


def ignored_sentences(entries: Iterable[str], rules: Rules, where: str = "") -> Iterator[str]:
    """A sentence for each entry of a line-up and each clan that it misplays, or the table.

    Args:
        entries: names with settings; strategies of files that were not given are left out.
        rules: the rules in force.
        where: the name of the rule set, if there are several.
    """
    known = {strategy.name: strategy for strategy in list_strategies()}
    of = f" of {where}" if where else ""
    for entry in dict.fromkeys(entries):
        strategy = known.get(entry.partition(":")[0])
        for clan, new in strategy.ignored_values(rules).items() if strategy else ():
            yield (
                f"“{entry}” ignores what is new about the {name_in_words(clan)}{of} "
                f"({', '.join(new)}): its games only show how it misplays this."
            )
