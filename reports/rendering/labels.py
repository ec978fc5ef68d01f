"""How things are called on the page: clans and modes as a reader writes them, not as columns do."""

from __future__ import annotations

from ethnos_sim.reports.evidence.evidence import Setting
from ethnos_sim.simulator.rules import Rules

MODES = {"standard": "", "recruitment": "Recruitment variant"}

DIFFICULTIES = {"solo-easy": "easy", "solo-regular": "regular", "solo-hard": "hard"}

SOURCE_LABELS = {
    "regions": "regions",
    "sea": "sea track",
    "largest": "largest party",
    "settlement": "settlement board",
    "coins": "coins",
    "party_points": "party points",
    "powers": "custom powers",
    "total": "total",
}


def capital(text: str) -> str:
    """A text with a capital at its start and the rest as it is."""
    return text[:1].upper() + text[1:]


def clan_label(clan: str) -> str:
    """A clan's name as a title: "Red Panda"."""
    return clan.replace("_", " ").title()


def setting_label(rules: Rules, setting: Setting) -> str:
    """An edition and mode as a heading: "2nd edition (2024), Recruitment variant"."""
    mode = MODES.get(setting.mode, setting.mode)
    return f"{rules.title}, {mode}" if mode else rules.title


def source_labels(rules: Rules) -> dict[str, str]:
    """The sources of prestige in the edition's own words."""
    words = rules.words
    return SOURCE_LABELS | {
        "regions": words.regions,
        "largest": f"largest {words.party}",
        "party_points": f"{words.party} points",
    }
