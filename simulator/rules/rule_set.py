"""Rule sets: an edition, a mode, variants and values, as users write them in one word.

`second+recruitment+mine.toml+bear.on_take=2` is an edition, then a mode, variants and values in any
order, each after a plus sign. The same word is accepted wherever rules are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ethnos_sim.simulator.rules.difference import value_differences
from ethnos_sim.simulator.rules.editions import edition_name
from ethnos_sim.simulator.rules.loading import load_rules, split_rule_set
from ethnos_sim.simulator.rules.model import Rules
from ethnos_sim.simulator.rules.settings import (
    POWERS_OF_TABLE,
    Setting,
    load_variant,
    parse_settings,
    value_text,
)
from ethnos_sim.simulator.utilities.errors import RulesError
from ethnos_sim.simulator.utilities.text import printable

STANDARD = "standard"
RECRUITMENT = "recruitment"

#: The solo modes, from easy to hard.
SOLO_MODES = ("solo-easy", "solo-regular", "solo-hard")

#: Modes that can be played, in the order in which reports show them.
MODES = (STANDARD, RECRUITMENT, *SOLO_MODES)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Rules by name: an edition, a mode, variants and values on top of them.

    Attributes:
        edition: the name of an edition.
        mode: the mode that is played.
        variants: names of bundled variants and paths of variant files.
        values: NAME=VALUE texts; a later one replaces an earlier one and a variant's value.
    """

    edition: str
    mode: str = STANDARD
    variants: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, mode: str | None = None) -> RuleSet:
        """Parse a rule set in one word, such as second+recruitment+mine.toml+bear.on_take=2.

        Args:
            text: an edition, then a mode, variants and values, each after a plus sign.
            mode: the mode if the word names none; None for the standard mode.

        Raises:
            RulesError: there is no such edition, or two modes are named.
        """
        edition, named, settings = split_rule_set(text)
        modes = [name for name in dict.fromkeys(named) if name in MODES]
        if len(modes) > 1:
            raise RulesError([f"rules are played in one mode, not in {' and '.join(modes)}."])
        return cls(
            edition=edition_name(edition),
            mode=modes[0] if modes else mode or STANDARD,
            variants=tuple(name for name in named if name not in MODES),
            values=tuple(settings),
        )

    @classmethod
    def of_rules(cls, rules: Rules, mode: str = STANDARD) -> RuleSet:
        """The rule set of given rules: their edition, and each value that differs from it."""
        differences = value_differences(load_rules(rules.edition), rules)
        values = tuple(
            f"{difference.second_name}={value_text(difference.second)}"
            for difference in differences
        )
        return cls(edition=rules.edition, mode=mode, values=values)

    @property
    def label(self) -> str:
        """The rule set for readers: "second edition, recruitment, bear.on_take=2"."""
        parts = [f"{self.edition} edition"]
        parts += [self.mode] if self.mode != STANDARD else []
        return printable(", ".join([*parts, *self.variants, *self.values]))

    @property
    def word(self) -> str:
        """The rule set in one word, such as second+recruitment+dragons=4, as `parse` reads it."""
        mode = [] if self.mode == STANDARD else [self.mode]
        return "+".join([self.edition, *mode, *self.variants, *self.values])

    def rules(self) -> Rules:
        """The rules with all values resolved; RulesError for wrong names and values."""
        return load_rules(self.edition, self.variants, self.values)


def rules_and_mode(rules: Rules | RuleSet | str, mode: str) -> tuple[Rules, str]:
    """The rules that a caller names, and their mode: the one in the rule set, else `mode`."""
    if isinstance(rules, Rules):
        return rules, mode
    rule_set = rules if isinstance(rules, RuleSet) else RuleSet.parse(rules, mode)
    return rule_set.rules(), rule_set.mode


def rules_by_edition(
    editions: Sequence[str], settings: Sequence[str] = (), variants: Sequence[str] = ()
) -> dict[str, Rules]:
    """The rules of each edition with the variants and the settings that belong to it.

    Args:
        editions: the sweep's editions.
        settings: NAME=VALUE texts; a later text replaces an earlier text and a variant's value. A
            value that an edition lacks is set only in the other editions.
        variants: names of bundled variants or paths of variant files; a variant for one edition
            does not change the other editions.

    Raises:
        RulesError: names or values are wrong; the error has a sentence for each, without
            repetitions.
    """
    loaded = {name: load_variant(name) for name in variants}
    problems = [
        f'The variant "{name}" is for the {variant.edition} edition, which is not played.'
        for name, variant in loaded.items()
        if variant.edition not in (None, *editions)
    ]
    changes = [change for variant in loaded.values() for change in variant.settings]
    changes += parse_settings(settings, [])
    homes = {text: _editions_of(text, editions, changes) for text in settings}
    rules = {}
    for edition in editions:
        fitting = [name for name in loaded if loaded[name].edition in (None, edition)]
        here = [text for text in settings if edition in homes[text]]
        try:
            rules[edition] = load_rules(edition, fitting, here)
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return rules


def _editions_of(text: str, editions: Sequence[str], changes: Sequence[Setting]) -> Sequence[str]:
    """The editions to which a setting belongs.

    It belongs to the editions that have its value or its clan; if none has, to the first edition,
    which reports the error. A clan that `changes` add belongs to all editions.
    """
    name = text.partition("=")[0].partition("[")[0].strip().removeprefix("clans.")
    clan = name.partition(".")[0]
    new = {
        change.name.split(".")[1]
        for change in changes
        if change.name.startswith("clans.") and change.value is not False
    }
    if clan in new or name == POWERS_OF_TABLE:
        return editions
    known = [
        edition
        for edition in editions
        if name in load_rules(edition).fields or clan in load_rules(edition).clans
    ]
    return known or editions[:1]
