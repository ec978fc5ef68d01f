"""plan.json: the text of a plan, sealed by a hash.

A plan that was changed after it was written is refused: `sha256` covers everything else in the
file. Every name that becomes a part of a path is also checked (`Partition.from_path`).
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json

from ethnos_sim.experiments.plans.plan import FORMAT, Plan, canonical_json
from ethnos_sim.simulator.utilities.errors import WrongInput

_PLAN = TypeAdapter(Plan)


def sealed_json(content: Mapping[str, Any]) -> str:
    """The content as a line of canonical JSON, with a SHA-256 of all other keys."""
    unsealed = {key: value for key, value in content.items() if key != "sha256"}
    digest = sha256(canonical_json(unsealed).encode()).hexdigest()
    return canonical_json({**unsealed, "sha256": digest}) + "\n"


def plan_text(plan: Plan) -> str:
    """The plan as the text of plan.json: a sealed line."""
    content = _PLAN.dump_python(plan, mode="json")
    return sealed_json({"format": FORMAT, "plan_id": plan.plan_id, **content})


def read_plan(text: str) -> Plan:
    """The plan in the text of a plan.json.

    Raises:
        WrongInput: the text is no plan of this format, or it was changed since it was written.
    """
    try:
        content = from_json(text)
        if not isinstance(content, dict) or "format" not in content:
            raise ValueError("it has no format")
        if content["format"] != FORMAT:
            given = str(content["format"])[:20]
            raise WrongInput(
                f"it has format {given}, and this version reads only {FORMAT}: play the sweep again"
            )
        if sealed_json(content) != text:
            raise WrongInput("it was changed since it was written: its SHA-256 differs")
        return _PLAN.validate_python(content)
    except (ValueError, LookupError, TypeError) as error:
        raise WrongInput(f"it is not a plan of a sweep: {error}") from error
