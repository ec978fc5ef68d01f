"""Plans of specs that are given as keys and values."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ethnos_sim.experiments import Changes, Plan, make_plan, parse_spec


def plan_of(spec: Mapping[str, Any], **changes: Any) -> Plan:
    """The plan of a spec, with the changes that a command line would make."""
    return make_plan(parse_spec(deepcopy(dict(spec)), "spec.toml", Changes(**changes)))
