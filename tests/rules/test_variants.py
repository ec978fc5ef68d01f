"""Variants change an edition, bundled or from a file; overrides change the result."""

from pathlib import Path

import pytest

from ethnos_sim.simulator import EDITIONS, load_rules
from ethnos_sim.simulator.rules import bundled_variants, load_variant


def write(folder: Path, text: str, name: str = "house.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", bundled_variants())
def test_a_bundled_variant_is_described_fits_its_editions_and_changes_them(name: str) -> None:
    variant = load_variant(name)
    assert variant.description
    for edition in EDITIONS if variant.edition is None else (variant.edition,):
        assert load_rules(edition, variant=name) != load_rules(edition)


def test_a_variant_file_sets_values(tmp_path: Path) -> None:
    path = write(tmp_path, 'description = "ours"\n[set]\nbear.on_take = 2\nhand_limit = 8\n')
    rules = load_rules("second", variant=path)
    assert (rules.value("bear.on_take"), rules.number("hand_limit")) == (2, 8)
    assert rules == load_rules("second", variant=str(path))


def test_of_settings_of_one_value_the_last_one_holds(tmp_path: Path) -> None:
    a, b = (
        write(tmp_path, f"[set]\nhand_limit = {limit}\n", f"{name}.toml")
        for name, limit in (("a", 7), ("b", 8))
    )
    assert load_rules("second", [a, b]).number("hand_limit") == 8
    assert load_rules(f"second+{b}+{a}").number("hand_limit") == 7
    assert load_rules(f"second+{b}+{a}", overrides=["hand_limit=9"]).number("hand_limit") == 9
