"""Make a folder for a user's variant: the variant, the spec of a sweep, a README, a workflow."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.specs.spec import load_spec
from ethnos_sim.experiments.storage.files import write_synced_file
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.rules import Rules, RuleSet, load_rules
from ethnos_sim.simulator.utilities.errors import WrongInput

TEMPLATES = Path(__file__).parent / "variant_template"
VARIANT_FILE = "variant.toml"
SPEC_FILE = "spec.toml"
README_FILE = "README.md"
WORKFLOW_FILE = ".github/workflows/balance.yml"

#: The settings of the example, which is written if there are no settings: a changed value, and a
#: new clan with a known power. The example also has the clan CUSTOM_CLAN, with a custom power.
EXAMPLE_SETTINGS = ("hand_limit=9", "clans.phoenix=second_party", "phoenix.follow_ups=1")
CUSTOM_CLAN = "heron"


def make_variant_folder(folder: Path, rule_set: RuleSet) -> tuple[Path, ...]:
    """Write a variant, a spec, a README and a workflow to a folder, which may be missing.

    Args:
        folder: the folder of the files.
        rule_set: the edition that the variant changes, and the changes. Files of custom powers are
            copied to the folder. Without changes the variant is an example with a changed value
            and two new clans.

    Returns:
        The paths of the files.

    Raises:
        RulesError: there is no such edition, or a setting is wrong.
        WrongInput: one of the files exists already, or the folder is a file.
        Failed: a file cannot be written.
    """
    settings, edition = (*rule_set.variants, *rule_set.values), rule_set.edition
    rules = (rule_set if settings else replace(rule_set, values=EXAMPLE_SETTINGS)).rules()
    if folder.exists() and not folder.is_dir():
        raise WrongInput(f"'{folder}' is a file; name a new folder for the variant")
    name = "".join(letter if letter.isprintable() else " " for letter in folder.resolve().name)
    powers, files = _custom_powers(rules)
    if not settings:
        file = f"{CUSTOM_CLAN}.py"
        powers, files = {CUSTOM_CLAN: f"{file}:{CUSTOM_CLAN}"}, {file: _filled_template(file)}
    clans = _new_clans_option(rules, powers)
    texts = {
        VARIANT_FILE: _variant_text(rules, powers),
        SPEC_FILE: _filled_template(
            SPEC_FILE,
            edition=json.dumps(edition),
            name=json.dumps((name or "variant")[:200], ensure_ascii=False),
            sample=str(max(6, (len(rules.clans) + (not settings) + 1) // 2)),
            strongest=STRONGEST,
        ),
        README_FILE: _filled_template(
            README_FILE, edition=edition, name=name or "Variant", clans=clans
        ),
        WORKFLOW_FILE: _filled_template(Path(WORKFLOW_FILE).name),
        **files,
    }
    paths = {folder / name: text for name, text in texts.items()}
    for path in paths:
        if path.exists():
            raise WrongInput(f"'{path}' exists already; nothing was written")
    for path, text in paths.items():
        write_synced_file(path, text.encode())
    load_spec(folder / SPEC_FILE)
    return tuple(paths)


def _custom_powers(rules: Rules) -> tuple[dict[str, str], dict[str, str]]:
    """The custom powers by clan, as `FILE:NAME`, and the texts of their files by file name."""
    if not rules.custom_powers:
        return {}, {}
    from ethnos_sim.simulator.custom_powers.registry import loaded_power

    powers = {clan: loaded_power(reference) for clan, reference in rules.custom_powers}
    return (
        {clan: f"{power.file.name}:{power.name}" for clan, power in powers.items()},
        {power.file.name: power.file.read_text(encoding="utf-8") for power in powers.values()},
    )


def _new_clans_option(rules: Rules, custom_powers: dict[str, str]) -> str:
    """The option `--clans` for a game with the new clans; "" if the variant has none."""
    printed = load_rules(rules.edition).clans
    new = [clan for clan in dict.fromkeys((*custom_powers, *rules.clans)) if clan not in printed]
    rest = [clan for clan in rules.clans if clan in printed]
    in_play = [*new, *rest][: rules.clans_in_play(4)]
    return f" --clans {','.join(in_play)}" if new else ""


def _variant_text(rules: Rules, custom_powers: dict[str, str]) -> str:
    """The text of the variant file, with `custom_powers` as `FILE:NAME` by clan."""
    clans = dict(sorted({**rules.clan_changes, **custom_powers}.items()))
    return toml_text(
        {
            "description": "Say here what the variant is for.",
            "edition": rules.edition,
            **({"clans": clans} if clans else {}),
            "set": {name: rules.value(name) for name in rules.changed_values},
        },
        (
            f"The changes of this variant to the {rules.edition} edition. [set] has new values, by",
            f"the names that `ethnos-sim rules show {rules.edition}` lists, in lines such as",
            '"bear.on_take" = 3. [clans] has changed and new clans: the name of a known power, a',
            "custom power as FILE.py:NAME, or false to leave the clan out.",
        ),
    )


def _filled_template(file: str, **values: str) -> str:
    """The text of a template file, whose names are replaced by values."""
    from jinja2 import Template

    text = (TEMPLATES / f"{file}.j2").read_text(encoding="utf-8")
    return str(Template(text, keep_trailing_newline=True).render(values))
