"""A malformed custom power is refused in one sentence with file and line, before any game."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from kit.custom import CLANS

HEAD = """\
import time
import numpy as np
from ethnos_sim.simulator.custom_powers import draw_cards, kernel, offer, pay_prestige, power


"""
LINES = HEAD.count("\n")

#: What is wrong, the line of it (from the body's first, 1; 0 for none), and what the sentence says.
WRONG = {
    "syntax": ('@power("bad")\ndef after_party(game, party)\n    pass\n', 2, "expected ':'"),
    "moment": (
        '@power("bad")\ndef after_parti(game, party):\n    pass\n',
        1,
        "no moment 'after_parti'; did you mean 'after_party'?",
    ),
    "argument": (
        '@power("bad")\ndef after_party(game, band):\n    pass\n',
        1,
        "write it as after_party(game, party)",
    ),
    "too few arguments": (
        '@power("bad")\ndef after_recruit(game, player):\n    pass\n',
        1,
        "write it as after_recruit(game, player, card)",
    ),
    "name": ('@power("Bad Bird")\ndef after_party(game, party):\n    pass\n', 1, "small letters"),
    "no name": ("@power\ndef after_party(game, party):\n    pass\n", 1, 'write @power("name")'),
    "twice": (
        '@power("bad")\ndef turn_end(game, player):\n    pass\n\n'
        '@power("bad")\ndef turn_end(game, player):\n    pass\n',
        5,
        "two functions 'turn_end'",
    ),
    "other name": (
        '@power("bat")\ndef turn_end(game, player):\n    pass\n',
        0,
        "no power 'bad'; did you mean 'bat'?",
    ),
    "no power": ("def turn_end(game, player):\n    pass\n", 0, "no power 'bad'"),
    "text": ('@power("bad")\ndef cards_kept(game, party):\n    return "two"\n', 1, "not a text"),
    "decimals": (
        '@power("bad")\ndef marker_size(game, party):\n    return party.size / 2\n',
        1,
        "must return a whole number, not a number with decimals",
    ),
    "nothing": (
        '@power("bad")\ndef scoring_size(game, party):\n    party.size\n',
        1,
        "must return a whole number, not nothing",
    ),
    "something": (
        '@power("bad")\ndef turn_end(game, player):\n    return 1\n',
        1,
        "must return nothing, not a whole number",
    ),
    "sometimes": (
        '@power("bad")\ndef cards_kept(game, party):\n    if party.size > 3:\n        return 2\n',
        1,
        "a whole number on one path and nothing on another",
    ),
    "writes": (
        '@power("bad")\ndef turn_end(game, player):\n    game.prestige[player] += 3\n',
        3,
        "this writes to what is for reading",
    ),
    "hidden": (
        '@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, player, game.rest)\n',
        3,
        "the game has no field 'rest'",
    ),
    "field": (
        '@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, game.prestig[0], 1)\n',
        3,
        "the game has no field 'prestig'; did you mean 'prestige'?",
    ),
    "party": (
        '@power("bad")\ndef after_party(game, party):\n    draw_cards(game, party.owner, 1)\n',
        3,
        "a party has no field 'owner'",
    ),
    "clock": (
        '@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, player, time.time())\n',
        3,
        "may differ from run to run; for chance there is random_below(game, bound)",
    ),
    "unknown": (
        '@power("bad")\ndef turn_end(game, player):\n    pay_prestig(game, player, 1)\n',
        3,
        "name 'pay_prestig' is not defined",
    ),
    "not compiled": (
        'def more(number):\n    return number + 1\n\n@power("bad")\n'
        "def turn_end(game, player):\n    pay_prestige(game, player, more(1))\n",
        6,
        "'more' is not compiled; put @kernel above its definition",
    ),
    "without end": (
        '@kernel\ndef more(number):\n    return more(number)\n\n@power("bad")\n'
        "def turn_end(game, player):\n    pay_prestige(game, player, more(1))\n",
        3,
        "without a bound",
    ),
    "ends the program": ("import sys\nsys.exit(3)\n", 2, "ends the program"),
    "strategy": (
        "from ethnos_sim.strategies import Parameter, strategy\n\n"
        '@strategy(Parameter("x", 5, 0, 1, ""))\ndef s(view):\n    return view\n',
        3,
        "outside 0 to 1",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_malformed_power_is_refused_with_its_line(wrong: str, refusal, tmp_path: Path) -> None:
    body, line, said = WRONG[wrong]
    file = tmp_path / "bird.py"
    file.write_text(HEAD + body, encoding="utf-8")
    told = refusal("play", "--set", f"clans.rabbit={file}:bad", "--clans", ",".join(CLANS))
    assert said in told
    if line:
        assert f"{file}:{LINES + line}: " in told
    else:
        assert str(file) in told


@pytest.mark.parametrize("place", ["missing.py:bad", "folder.py:bad", "wrong.py:", "wrong.py:Bad"])
def test_a_power_that_is_not_there_is_refused(place: str, refusal, tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "wrong.py").write_text(HEAD, encoding="utf-8")
    told = refusal("play", "--set", f"clans.rabbit={tmp_path / place}")
    assert place.split(":")[0] in told


def test_a_variant_finds_the_power_beside_itself_and_nowhere_else(refusal, tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text('[set]\n"clans.bird" = "bird.py:bad"\n')
    told = refusal("play", "--variant", str(tmp_path / "variant.toml"))
    assert f"no power file '{tmp_path / 'bird.py'}'" in told


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A folder beside whose variants Python lies that leaves a mark where it is run."""
    text = f"open({str(tmp_path / 'mark')!r}, 'w').close()\n"
    (tmp_path / "evil.py").write_text(text)
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "near.py").write_text(text)
    (folder / "link.py").symlink_to(tmp_path / "evil.py")
    (folder / "away").symlink_to(tmp_path)
    return folder


@pytest.mark.parametrize(
    "place", ["../evil.py", "{}/evil.py", "link.py", "away/evil.py", "x/../../evil.py"]
)
@pytest.mark.parametrize("named_in", ["variant", "spec"])
def test_python_that_data_name_lies_beside_them(
    place: str, named_in: str, evil: Path, refusal
) -> None:
    power = f"{place.format(evil.parent)}:p"
    variant, spec = evil / "variant.toml", evil / "spec.toml"
    variant.write_text(f'[clans]\nphoenix = "{power}"\n')
    rules = (
        f'variant = "{variant}"'
        if named_in == "variant"
        else f'set = {{ "clans.phoenix" = "{power}" }}'
    )
    spec.write_text(
        'name = "tried"\ngames = 4\nplayers = [2]\nclan_sets = { sample = 1 }\n'
        f'line_ups = [["random"]]\nrules = {{ {rules} }}\n'
    )
    told = refusal("sweep", str(spec), "--out", str(evil / "out"))
    assert "does not lie beside it" in told
    if named_in == "variant":
        assert "does not lie beside it" in refusal("play", "--variant", str(variant))
    assert not (evil.parent / "mark").exists()


def test_python_that_a_variant_names_is_run_where_games_are_played_and_nowhere_else(
    evil: Path, refusal, printed, capsys
) -> None:
    variant, spec, mark = evil / "variant.toml", evil / "spec.toml", evil.parent / "mark"
    variant.write_text('[clans]\nphoenix = "near.py:p"\n')
    spec.write_text(
        'name = "tried"\ngames = 4\nplayers = [2]\nclan_sets = { sample = 1 }\n'
        'line_ups = [["random"]]\nrules = { variant = "variant.toml" }\n'
    )
    assert "its custom powers were not run" in printed("rules", "show", "--variant", variant)
    assert run("rules", "show", "--variant", variant, "--json") == 0
    assert run("rules", "diff", "second", f"second+{variant}") == 0
    capsys.readouterr()
    assert "whose Python no dry run runs" in printed("sweep", spec, "--dry-run")
    assert not mark.exists()
    assert "near.py' has no power 'p'" in refusal("play", "--variant", str(variant))
    assert mark.exists()
