"""Custom powers of the table: house rules in Python that no clan carries.

A variant or a user names them, `table.powers = ["house.py:two_if_empty"]`. The powers of several
variants and of the user add up, in this order.
"""

from collections.abc import Sequence
from dataclasses import replace

from ethnos_sim.simulator.game.limits import TABLE_POWERS
from ethnos_sim.simulator.rules.clans import custom_reference
from ethnos_sim.simulator.rules.model import Rules
from ethnos_sim.simulator.rules.settings import POWERS_OF_TABLE, Override, is_custom
from ethnos_sim.simulator.utilities.errors import RulesError


def with_table_powers(
    rules: Rules, settings: Sequence[Override], problems: list[str]
) -> tuple[Rules, list[Override]]:
    """Rules with the powers that settings give to the table, and the settings of other names.

    A wrong power is added to the problems.
    """
    references: list[str] = []
    for setting in settings:
        if setting.name == POWERS_OF_TABLE:
            try:
                references += map(_reference, _powers_of(setting))
            except RulesError as error:
                problems += error.problems
    different = tuple(dict.fromkeys((*rules.table_powers, *references)))
    if len(different) > TABLE_POWERS:
        problems.append(f"the table has {len(different)} powers; at most {TABLE_POWERS} fit.")
    others = [setting for setting in settings if setting.name != POWERS_OF_TABLE]
    return replace(rules, table_powers=different) if different else rules, others


def _powers_of(setting: Override) -> tuple[object, ...]:
    """The powers that a setting names, one or several."""
    return setting.value if isinstance(setting.value, tuple) else (setting.value,)


def _reference(power: object) -> str:
    """The reference of one of the table's powers."""
    if not is_custom(power):
        raise RulesError([f"a power of the table is FILE.py:NAME, not {power!r}."])
    return custom_reference(str(power))
