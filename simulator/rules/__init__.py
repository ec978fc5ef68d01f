"""The rules as data: every printed number of both editions, with its source, and variants.

`load_rules` makes a frozen `Rules` from an edition, a variant and overrides. Which values exist
and what they may be stands in `fields`; the numbers themselves, where they come from and how sure
they are in `values/*.toml`; bundled variants in `variants/*.toml`.
"""

from ethnos_sim.simulator.rules.difference import (
    PowerNames,
    ValueDifference,
    lined_up,
    name_differences,
    power_names,
    value_differences,
)
from ethnos_sim.simulator.rules.editions import (
    EDITIONS,
    edition_name,
    edition_table,
    know_edition,
)
from ethnos_sim.simulator.rules.errors import RulesError
from ethnos_sim.simulator.rules.fields import (
    CLAN_FIELDS,
    SMALL_TABLE,
    TABLE_FIELDS,
    Field,
    Value,
    clan_fields,
)
from ethnos_sim.simulator.rules.loading import (
    load_rules,
    parse_rules,
    rules_parts,
    unknown_clan_hint,
)
from ethnos_sim.simulator.rules.model import Rules, Words, clan_key
from ethnos_sim.simulator.rules.overrides import value_text
from ethnos_sim.simulator.rules.provenance import CONFIDENCES, OVERRIDE, Provenance
from ethnos_sim.simulator.rules.variant import (
    Variant,
    bundled_variants,
    load_variant,
    power_beside,
)

__all__ = [
    "CLAN_FIELDS",
    "CONFIDENCES",
    "EDITIONS",
    "OVERRIDE",
    "SMALL_TABLE",
    "TABLE_FIELDS",
    "Field",
    "PowerNames",
    "Provenance",
    "Rules",
    "RulesError",
    "Value",
    "ValueDifference",
    "Variant",
    "Words",
    "bundled_variants",
    "clan_fields",
    "clan_key",
    "edition_name",
    "edition_table",
    "know_edition",
    "lined_up",
    "load_rules",
    "load_variant",
    "name_differences",
    "parse_rules",
    "power_beside",
    "power_names",
    "rules_parts",
    "unknown_clan_hint",
    "value_differences",
    "value_text",
]
