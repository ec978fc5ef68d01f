"""The rules as data: every printed number of both editions with its source, and variants.

`load_rules` makes a frozen `Rules` from an edition, a variant and overrides. `fields` defines the
values and their ranges. `values/*.toml` has the numbers with their sources and confidence,
`variants/*.toml` the bundled variants.
"""

from ethnos_sim.simulator.rules.difference import ValueDifference as ValueDifference
from ethnos_sim.simulator.rules.difference import clan_counterparts as clan_counterparts
from ethnos_sim.simulator.rules.difference import clan_pairs as clan_pairs
from ethnos_sim.simulator.rules.difference import value_differences as value_differences
from ethnos_sim.simulator.rules.editions import EDITIONS as EDITIONS
from ethnos_sim.simulator.rules.editions import edition_name as edition_name
from ethnos_sim.simulator.rules.editions import unknown_clan_hint as unknown_clan_hint
from ethnos_sim.simulator.rules.fields import SMALL_TABLE as SMALL_TABLE
from ethnos_sim.simulator.rules.fields import Field as Field
from ethnos_sim.simulator.rules.fields import Value as Value
from ethnos_sim.simulator.rules.fields import clan_fields as clan_fields
from ethnos_sim.simulator.rules.loading import load_rules as load_rules
from ethnos_sim.simulator.rules.model import Rules as Rules
from ethnos_sim.simulator.rules.model import clan_key as clan_key
from ethnos_sim.simulator.rules.rule_set import RuleSet as RuleSet
from ethnos_sim.simulator.rules.rule_set import rules_and_mode as rules_and_mode
from ethnos_sim.simulator.rules.rule_set import rules_by_edition as rules_by_edition
from ethnos_sim.simulator.rules.settings import bundled_variants as bundled_variants
from ethnos_sim.simulator.rules.settings import load_variant as load_variant
from ethnos_sim.simulator.rules.settings import power_path as power_path
from ethnos_sim.simulator.rules.settings import setting_texts as setting_texts
from ethnos_sim.simulator.rules.settings import value_text as value_text
