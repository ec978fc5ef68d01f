"""Rule sets: an edition, a mode, variants and values, as users write them in one word.

`second+recruitment+mine.toml+bear.on_take=2` is an edition, then a mode, variants and values in any
order, each after a plus sign. The same word is accepted wherever rules are named.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from ethnos_sim.simulator.rules.difference import value_differences
from ethnos_sim.simulator.rules.editions import edition_name
from ethnos_sim.simulator.rules.loading import load_rules, pieces
from ethnos_sim.simulator.rules.model import Rules
from ethnos_sim.simulator.rules.settings import load_variant, parse_overrides, value_text
from ethnos_sim.simulator.utilities.errors import RulesError
from ethnos_sim.simulator.utilities.text import visible

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
    def parse(
        cls,
        text: str,
        mode: str | None = None,
        variants: Sequence[str] = (),
        values: Sequence[str] = (),
    ) -> RuleSet:
        """Parse rules in one word, as in second+recruitment+mine.toml+bear.on_take=2.

        Args:
            text: an edition, then a mode, variants and values, each after a plus sign.
            mode: the mode if neither the word nor `variants` name one; None for the standard mode.
            variants: variants, or a mode, that follow those of the word.
            values: values that follow those of the word.

        Raises:
            RulesError: there is no such edition, or two modes are named.
        """
        edition, *parts = pieces(text)
        named = [*(part for part in parts if "=" not in part), *variants]
        modes = [name for name in dict.fromkeys(named) if name in MODES]
        if len(modes) > 1:
            raise RulesError([f"rules are played in one mode, not in {' and '.join(modes)}."])
        return cls(
            edition=edition_name(edition),
            mode=modes[0] if modes else mode or STANDARD,
            variants=tuple(name for name in named if name not in MODES),
            values=(*(part for part in parts if "=" in part), *values),
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
        return visible(", ".join([*parts, *self.variants, *self.values]))

    def rules(self) -> Rules:
        """The rules with all values resolved; RulesError for wrong names and values."""
        return load_rules(self.edition, self.variants, self.values)


def rules_and_mode(rules: Rules | RuleSet | str, mode: str) -> tuple[Rules, str]:
    """The rules that a caller names, and their mode: `mode`, unless they name one themselves."""
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
        settings: NAME=VALUE texts; a later text replaces an earlier text and a variant's value.
        variants: names of bundled variants or paths of variant files; a variant for a single
            edition leaves the others as they are.

    Raises:
        RulesError: names or values are wrong; the error has a sentence for each, without
            repetitions.
    """
    problems: list[str] = []
    only_for = {variant: _edition_of(variant, editions, problems) for variant in variants}
    home_of = {text: _homes(text, editions, settings, list(only_for)) for text in settings}
    rules = {}
    for edition in editions:
        here = [text for text in settings if edition in home_of[text]]
        try:
            fitting = [variant for variant, only in only_for.items() if only in (None, edition)]
            rules[edition] = load_rules(edition, fitting, here)
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return rules


def _edition_of(variant: str, editions: Sequence[str], problems: list[str]) -> str | None:
    """The only edition that a variant is for, or None; add a problem if `editions` lack it."""
    try:
        edition = load_variant(variant).edition
    except RulesError:
        # The error is reported when the rules are loaded with the variant.
        return None
    if edition is not None and edition not in editions:
        problems.append(
            f'The variant "{variant}" is for the {edition} edition, which is not played.'
        )
    return edition


def _homes(
    text: str, editions: Sequence[str], settings: Sequence[str], variants: Sequence[str]
) -> Sequence[str]:
    """The editions that have the value in `text`; if none has it, the first, to report the error.

    A user's clan and its values belong to all editions.
    """
    parsed = parse_overrides([text], [])
    if not parsed:
        return editions[:1]
    setting = parsed[0]
    clan, of_clan, _ = setting.name.removeprefix("clans.").partition(".")
    if setting.name.startswith("clans.") and setting.value is not False:
        return editions
    names = {text_set.partition("=")[0].strip() for text_set in settings}
    for variant in variants:
        # The error is reported when the rules are loaded with the variant.
        with contextlib.suppress(RulesError):
            names |= {override.name for override in load_variant(variant).overrides}
    if of_clan and any(
        name == f"clans.{clan}" or name.startswith(f"clans.{clan}.") for name in names
    ):
        return editions
    known = [
        edition
        for edition in editions
        if setting.name in load_rules(edition).fields or clan in load_rules(edition).clans
    ]
    return known or editions[:1]
