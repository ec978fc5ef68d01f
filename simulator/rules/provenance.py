"""Where a value comes from and how sure that is."""

from dataclasses import dataclass

CONFIDENCES = ("certain", "high", "medium", "assumed")
"""From printed in a rulebook to this project's own choice (see values/shared.toml)."""

OVERRIDE = "override"
"""Source and confidence of a value that a variant or the user set."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who states a value (`source`), how sure it is (`confidence`), and a `note`, maybe empty."""

    source: str
    confidence: str
    note: str = ""

    @classmethod
    def of_override(cls, set_by: str) -> "Provenance":
        """The provenance of a value set by a variant or on the command line."""
        return cls(OVERRIDE, OVERRIDE, f"set by {set_by}")
