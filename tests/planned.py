"""Make plans from specs that are given as keys and values."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ethnos_sim.experiments import Changes, Plan, make_plan, parse_spec


def plan_of(spec: Mapping[str, Any], **changes: Any) -> Plan:
    """The plan of a spec with changes, as from a command line."""
    return make_plan(parse_spec(deepcopy(dict(spec)), "spec.toml", Changes(**changes)))
