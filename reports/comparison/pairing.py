"""Which settings of two sides stand beside each other: editions in modes with rule sets.

Equal rules go first, whatever each side calls them. Then a rule set of the same name; then what is
alone in its edition and mode on both sides, where nothing of these is paired yet; and where nothing
is paired at all, what is alone in its mode, or alone. Everything else would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping

from ethnos_sim.reports.evidence.evidence import Setting
from ethnos_sim.simulator.rules import Rules

PairingKey = Callable[[Setting, Rules], Hashable]
"""What settings have to share to be paired; None pairs with nothing."""


def settings_beside(
    first: Mapping[Setting, Rules], second: Mapping[Setting, Rules]
) -> dict[Setting, Setting]:
    """The setting of the second side for each of the first that has one; empty where unclear."""
    found: dict[Setting, Setting] = {}

    def pair(kind: PairingKey, *, alone: bool = True) -> None:
        left = _by_kind(first, kind, found)
        right = _by_kind(second, kind, set(found.values()))
        for shared, own in left.items():
            other = right.get(shared, [])
            if len(own) == len(other) == 1 or not alone:
                found.update(zip(own, other, strict=False))

    pair(lambda setting, rules: (rules.rules_id, setting.mode), alone=False)
    pair(lambda setting, rules: setting if setting.rules else None)
    taken = {(each.edition, each.mode) for each in (*found, *found.values())}
    pair(
        lambda setting, rules: (
            None if (setting.edition, setting.mode) in taken else (setting.edition, setting.mode)
        )
    )
    if not found:
        pair(lambda setting, rules: setting.mode)
    if not found:
        pair(lambda setting, rules: "alone")
    return {setting: found[setting] for setting in first if setting in found}


def _by_kind(
    settings: Mapping[Setting, Rules], kind: PairingKey, taken: Collection[Setting]
) -> dict[Hashable, list[Setting]]:
    """The settings that are not taken, by what they share."""
    found: dict[Hashable, list[Setting]] = {}
    for setting, rules in settings.items():
        shared = kind(setting, rules)
        if setting not in taken and shared is not None:
            found.setdefault(shared, []).append(setting)
    return found
