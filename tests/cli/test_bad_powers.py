"""A malformed custom power is refused in one sentence with file and line, before any game."""

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

TURN_END = "turn_end(game, player)"

#: Powers, each with one wrong function: the decorator's argument, the moment, the body, the line
#: that the error names (the decorator has line 1), and the sentence.
FUNCTIONS = (
    ('("bad")', "after_parti(game, party)", "pass", 1,
     "no moment 'after_parti'; did you mean 'after_party'?"),
    ('("bad")', "after_party(game, band)", "pass", 1, "write it as after_party(game, party)"),
    ('("bad")', "after_recruit(game, player)", "pass", 1,
     "write it as after_recruit(game, player, card)"),
    ('("Bad Bird")', "after_party(game, party)", "pass", 1, "small letters"),
    ("", "after_party(game, party)", "pass", 1, 'write @power("name")'),
    ('("bat")', TURN_END, "pass", None, "no power 'bad'; did you mean 'bat'?"),
    ('("bad")', "cards_kept(game, party)", 'return "two"', 1, "not a text"),
    ('("bad")', "marker_size(game, party)", "return party.size / 2", 1,
     "must return a whole number, not a number with decimals"),
    ('("bad")', "scoring_size(game, party)", "party.size", 1,
     "must return a whole number, not nothing"),
    ('("bad")', TURN_END, "return 1", 1, "must return nothing, not a whole number"),
    ('("bad")', "cards_kept(game, party)", "if party.size > 3:\n        return 2", 1,
     "a whole number on one path and nothing on another"),
    ('("bad")', TURN_END, "game.prestige[player] += 3", 3, "this writes to what is for reading"),
    ('("bad")', TURN_END, "pay_prestige(game, player, game.rest)", 3,
     "the game has no field 'rest'"),
    ('("bad")', TURN_END, "pay_prestige(game, game.prestig[0], 1)", 3,
     "the game has no field 'prestig'; did you mean 'prestige'?"),
    ('("bad")', "after_party(game, party)", "draw_cards(game, party.owner, 1)", 3,
     "a party has no field 'owner'"),
    ('("bad")', TURN_END, "pay_prestige(game, player, time.time())", 3,
     "may differ from run to run; for chance there is random_below(game, bound)"),
    ('("bad")', TURN_END, "pay_prestig(game, player, 1)", 3, "name 'pay_prestig' is not defined"),
)  # fmt: skip
MORE = '@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, player, more(1))\n'
#: Files that are wrong as a whole, the line that the error names, and the sentence.
FILES = (
    ('@power("bad")\ndef after_party(game, party)\n    pass\n', 2, "expected ':'"),
    (f'@power("bad")\ndef {TURN_END}:\n    pass\n\n@power("bad")\ndef {TURN_END}:\n    pass\n', 5,
     "two functions 'turn_end'"),
    (f"def {TURN_END}:\n    pass\n", None, "no power 'bad'"),
    (f"def more(number):\n    return number + 1\n\n{MORE}", 6,
     "'more' is not compiled; put @kernel above its definition"),
    (f"@kernel\ndef more(number):\n    return more(number)\n\n{MORE}", 3, "without a bound"),
    ("import sys\nsys.exit(3)\n", 2, "ends the program"),
    ("from ethnos_sim.strategies import Parameter, strategy\n\n"
     '@strategy(Parameter("x", 5, 0, 1, ""))\ndef s(view):\n    return view\n', 3,
     "outside 0 to 1"),
)  # fmt: skip
WRONG = [
    *(
        (f"@power{named}\ndef {moment}:\n    {body}\n", *told)
        for named, moment, body, *told in FUNCTIONS
    ),
    *FILES,
]


@pytest.mark.parametrize(("body", "line", "said"), WRONG, ids=[said for *_, said in WRONG])
def test_a_malformed_power_is_refused_with_its_line(body, line, said, refusal, tmp_path) -> None:
    file = tmp_path / "bird.py"
    file.write_text(HEAD + body, encoding="utf-8")
    sentence = refusal("play", "--set", f"clans.rabbit={file}:bad", "--clans", ",".join(CLANS))
    assert said in sentence
    assert (f"{file}:{LINES + line}: " if line else str(file)) in sentence


@pytest.mark.parametrize("place", ["missing.py:bad", "folder.py:bad", "wrong.py:", "wrong.py:Bad"])
def test_a_missing_power_is_refused(place: str, refusal, tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "wrong.py").write_text(HEAD, encoding="utf-8")
    sentence = refusal("play", "--set", f"clans.rabbit={tmp_path / place}")
    assert place.split(":")[0] in sentence


def test_a_variant_finds_the_power_beside_itself_and_nowhere_else(refusal, tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text('[set]\n"clans.bird" = "bird.py:bad"\n')
    sentence = refusal("play", "--variant", str(tmp_path / "variant.toml"))
    assert f"no power file '{tmp_path / 'bird.py'}'" in sentence


SPEC = """
name = "tried"
games = 4
players = [2]
clan_sets = { sample = 1 }
line_ups = [["random"]]
"""


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A folder of variants beside a Python module that leaves a mark if it runs."""
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
def test_a_variant_or_spec_may_name_only_python_beside_it(
    place: str, named_in: str, evil: Path, refusal
):
    power = f"{place.format(evil.parent)}:p"
    variant, spec = evil / "variant.toml", evil / "spec.toml"
    variant.write_text(f'[clans]\nphoenix = "{power}"\n')
    named = {
        "variant": f'variant = "{variant}"',
        "spec": f'set = {{ "clans.phoenix" = "{power}" }}',
    }
    spec.write_text(f"{SPEC}rules = {{ {named[named_in]} }}\n")
    assert "does not lie beside it" in refusal("sweep", spec, "--out", evil / "out")
    if named_in == "variant":
        assert "does not lie beside it" in refusal("play", "--variant", variant)
    assert not (evil.parent / "mark").exists()


def test_the_python_of_a_variant_is_run_only_to_play_games(
    evil: Path, refusal, printed, capsys
) -> None:
    variant, spec, mark = evil / "variant.toml", evil / "spec.toml", evil.parent / "mark"
    variant.write_text('[clans]\nphoenix = "near.py:p"\n')
    spec.write_text(f'{SPEC}rules = {{ variant = "variant.toml" }}\n')
    assert "its custom powers were not run" in printed("rules", "show", "--variant", variant)
    assert run("rules", "show", "--variant", variant, "--json") == 0
    assert run("rules", "diff", "second", f"second+{variant}") == 0
    capsys.readouterr()
    assert "and a dry run does not run their Python" in printed("sweep", spec, "--dry-run")
    assert not mark.exists()
    assert "near.py' has no power 'p'" in refusal("play", "--variant", str(variant))
    assert mark.exists()
