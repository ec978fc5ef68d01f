"""What is wrong is refused before any game: one sentence, an exit code, and no file written."""

import shlex
from pathlib import Path

import pytest
from commands import python, run
from inside import module_with
from inside.experiments.storage import check_writable

CLANS = "bear,deer,dog,fox,koi,monkey"
HEAD = """\
import time
from ethnos_sim.simulator.custom_powers import draw_cards, kernel, pay_prestige, power


"""
HOUSE = "rules show second+house.toml"
BIRD = "play --edition second+clans.rabbit=bird.py:bad --clans rabbit,bear,deer,dog,fox,koi"

#: The words of a command, and some words of the sentence.
LINES = [
    # What is missing.
    ("compare second 2", "both sides are 'second edition'; say what differs, as in second+bear"),
    ("compare", "write one rule set or two, as in `compare second+bear.on_take=2`"),
    ("check --baseline 'my own.toml'", "--baseline 'my own.toml' --spec FILE.toml` makes it"),
    ("check --quick record", "write --quick after 'record'"),
    ("sweep --out results", "'results' holds no sweep to continue; name a spec, as in"),
    # Numbers.
    ("match --games 4e3", "'4e3' is not a valid integer"),
    (f"match --games {'9' * 5000}", "is not a valid integer"),
    (f"match --players {'9' * 50}", "players cannot play"),
    (f"strategies rate --games {'9' * 23}", "takes at most 1,000,000,000,000"),
    ("match --games 100000000000", "at most 10,000,000; a sweep plays more"),
    ("play --game 100000000000000000000000", "--game takes a number from 0"),
    (f"table --clans {CLANS} --until '1 mile'", "from 0.1 to 10, as in 1pp"),
    # Players, clans and modes.
    ("match --players 1", "1 player plays a solo mode"),
    ("match --edition second+solo-easy --players 2", "is for 1 player, not 2"),
    ("match --edition second+solo-easy+recruitment", "one mode, not in solo-easy and recruit"),
    (f"table --edition second+solo-easy --clans {CLANS}", "use `ethnos-sim match`"),
    ("strategies rate --edition second+solo-easy", "'solo-easy' has one player"),
    ("match --clans bear,deer,dog,fox,koi", "4 players need 6 clans, not 5"),
    (f"match --players 2 --clans {CLANS}", "2 players need 5 clans, not 6"),
    ("match --clans bear,deer,dog,fox,koi,bear", "'bear' is named twice"),
    ("match --clans bear,foxes,owl,deer,tiger,koi", "'foxes'; did you mean 'fox'?"),
    ("table --clans fox,bear,koi", "these player counts need 6 clans of one edition"),
    ("match --edition first --clans raccoon", "second edition, no clan here has its power"),
    ("match --edition second+clans.merfolk=false", "'merfolk'; did you mean 'koi'?"),
    # Strategies.
    ("match --strategies greedi", "'greedi'; did you mean 'greedy'?"),
    ("match --strategies greedy,,random", "name is missing in the line-up 'greedy,,random'"),
    ("match --players 2 --strategies greedy,random,greedy", "3 strategies do not fit 2 seats"),
    ("match --strategies greedy:patients=7", "'patients'; did you mean 'patience'?"),
    ("match --strategies greedy:patience=٤", "needs a number, not '٤'"),
    ("match --strategies greedy:patience=nan", "is nan, outside 0 to 30"),
    ("match --strategies specialist:clan=merfolk", "the first edition, did you mean 'koi'?"),
    ("match --strategies random:never_leads=bera", "'bera'; did you mean 'bear'?"),
    ("match --strategies greedy:in_age=2", "needs 'never_leads=CLAN'"),
    ("match --strategies greedy:never_leads=koi:in_age=4", "an age from 1 to 3, not '4'"),
    ("strategies rate --strategies 'greedy,random,greedy '", "is in the tournament twice"),
    # Rules.
    ("match --edition bytes.toml", "follows the edition that it changes: second+bytes.toml"),
    ("match --edition seconds", "'seconds'; did you mean 'second'?"),
    ("match --edition second+..", "'..' is a folder; name its file"),
    ("compare second+optional", "'optional'; did you mean 'optional-marker'?"),
    ("match --edition second+mine/variant", "there is no variant file 'mine/variant'."),
    ("rules show second+bear.on_tak=1", "did you mean 'bear.on_take'?"),
    ("rules show second+merfolk.symbols=1", "did you mean 'koi.symbols'?"),
    (
        "rules show second+deck=2",
        "docs/recipes.md says what a power of the table can do",
    ),
    ("rules show second+bear.on_take[x]=1", "is not of the form NAME=VALUE"),
    (
        "rules show second+bear.on_take=x",
        "'x' is no value for bear.on_take: give a whole",
    ),
    ("rules show second+bear.on_take=١٢", "'١٢' is no value for bear.on_take"),
    ("rules show second+bear.on_take=[1,,2]", "'[1,,2]' is no value for bear.on_take"),
    ("rules show second+hand_limit=99", "a whole number from 1 to 15, not 99"),
    ("rules show second+koi.each_symbol=1", "must be true or false, not 1"),
    ("rules show second+party_points=[1,2]", "a list of 7 whole numbers"),
    ("rules show second+koi.symbols=[5,3]", "each larger than the one before"),
    ("rules show second+last_dragon=4", "last_dragon = 4 is more than dragons = 3"),
    ("rules show second+prestige_tokens.base=[1,2,3,4,5,6,7]", "do not go evenly"),
    ("match --edition second+recruitment+pool_refill=1", "pool_refill"),
    # Folders, files and outputs.
    ("sweep seets --out results", "'seets', neither a file nor bundled; did you mean 'seats'?"),
    ("sweep seats", "give the folder for the results: --out DIR"),
    ("sweep seats --out results --games 10 --quick", "--quick sets the number of games"),
    (
        "sweep seats --out results --set recruitment",
        "the spec states the modes; leave out recruit",
    ),
    ("sweep --out results --quick", "--quick changes a spec; name the spec too"),
    ("report --quick results", "--quick is for the usual sweep; leave out the folder"),
    ("report ''", "is empty, but has to be a path"),
    ("compare second+recruitment --out page.pdf", "has to end in .html, not 'page.pdf'"),
    ("play --games 2", "--games is for traces (--out FILE.jsonl)"),
    ("play --games 2 --out told.html", "not for a page"),
    ("play --out game.pdf", "does not end in .html or .jsonl"),
    ("check record --only signatures --spec a.toml", "--spec is for balance numbers"),
    ("check record --baseline b.toml --spec short.toml", "line_ups: is missing"),
    # Searches.
    ("balance", "name the values to move with --vary NAME; `ethnos-sim rules show` lists"),
    ("balance --vary bear.on_tak", "did you mean 'bear.on_take'?"),
    ("balance --vary bear.age_2_3", "has no effect with 4 players"),
    ("balance --vary bear.on_take[1]", "is not a list"),
    ("balance --vary koi.symbols[9]", "has no element 9"),
    ("balance --vary bear.on_take=4..4", "cannot move"),
    ("balance --vary bear.on_take=0..6:0", "names no value to move"),
    ("balance --vary ages_4_6", "how many ages or clans"),
    ("balance --vary clans_4_6", "how many ages or clans"),
    ("balance --vary bear.on_take --target fun", "no target 'fun'"),
    ("balance --vary bear.on_take --target seat-edge=0.1", "always has the goal 0"),
    ("balance --vary bear.on_take --target worth:dog", "no target 'worth:dog'"),
    ("balance --vary bear.on_take --target turns", "needs a goal, as in turns=250"),
    ("balance --vary bear.on_take --target turns=soon", "'soon' is not a goal"),
    ("balance --vary bear.on_take --games 20000", "20,000 games are too few"),
    ("balance --vary bear.on_take --validate-with greedi", "did you mean 'greedy'?"),
    ("balance --vary bear.on_take --edition second+solo-easy", "standard or recruitment"),
    # Files whose content is wrong.
    ("match --edition second+bytes.toml", "it is no text in UTF-8"),
    ("play digits.jsonl", "a number in it has too many digits"),
    ("rules show second+long.toml", "'players' has 50,000 entries; at most 2,000 fit."),
    ("rules show second+names.toml", "and 980 more."),
    ("sweep sizes.toml --out new", "'five' and 'six' may have their own sets"),
]

#: Variant files, and some words of the sentence that refuses each.
VARIANTS = [
    ("", "needs a table [set] of names and values, [clans] or [table] with powers"),
    ("[set]\nhand_limit = 8\nhand_limit = 9", "cannot be read: Cannot overwrite a value"),
    ("[sett]\nhand_limit = 8", "'sett'; did you mean 'set'?"),
    ("clans = 'phoenix'", "'clans' in the variant file"),
    ("edition = 2\n[set]", "have to be text"),
    ("edition = 'first'\n[set]", "is for the first edition, not for the second"),
    ("[set]\nhand_limit = nan", "a whole number from 1 to 15, not NaN"),
    ("[clans]\nphoenix = 'secnd_party'", "did you mean 'second_party'?"),
    ("[clans]\nphoenix = 'custom'", "FILE.py:NAME"),
    ("[clans.phoenix]\nfollow_ups = 1", "'phoenix' needs a power"),
    ("[clans.x]\npower = 'wild'\nscord = true", "did you mean 'x.scored'?"),
    ("[clans]\npays = 'wild'", "no clan can be called 'pays'"),
    ("[clans]\nbear = false\n[set]\nbear.on_take = 3", "'bear.on_take'"),
    ("[clans]\n" + "".join(f"c{n} = 'wild'\n" for n in range(5)), "have 17 clans; 1 to 16 fit"),
]  # fmt: skip

#: Files with a custom power "bad" below HEAD, the line that the sentence names, and its words.
POWERS = [
    ("", 0, "no power 'bad'"),
    ('@power("bat")\ndef turn_end(game, player):\n    pass\n', 0, "'bad'; did you mean 'bat'?"),
    ('@power("bad")\ndef after_party(game, party)\n    pass\n', 2, "expected ':'"),
    ('@power("bad")\ndef after_parti(game, party):\n    pass\n', 1, "did you mean 'after_party'?"),
    ('@power("bad")\ndef after_party(game, band):\n    pass\n', 1, "as after_party(game, party)"),
    ('@power("Bad")\ndef after_party(game, party):\n    pass\n', 1, "small letters"),
    ('@power("bad")\ndef cards_kept(game, party):\n    return "two"\n', 1, "not a text"),
    ('@power("bad")\ndef turn_end(game, player):\n    game.prestige[player] += 3\n', 3,
     "this writes to read-only data"),
    ('@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, game.prestig[0], 1)\n', 3,
     "no field 'prestig'; did you mean 'prestige'?"),
    ('@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, 0, time.time())\n', 3,
     "for chance there is random_below(game, bound)"),
    ("def more():\n    return 1\n\n"
     '@power("bad")\ndef turn_end(game, player):\n    pay_prestige(game, player, more())\n', 6,
     "put @kernel above its definition"),
    ("import sys\nsys.exit(3)\n", 2, "ends the program"),
]  # fmt: skip

#: Files that LINES name.
FILES = {
    "bytes.toml": b"\xff",
    "short.toml": b"players = [2]\nclan_sets = { sample = 1 }\n",
    "digits.jsonl": b'{"game": ' + b"9" * 5000 + b"}",
    "long.toml": b"players = [" + b"2," * 50_000 + b"]",
    "names.toml": b"[set]\n" + b"".join(b"n%d = 1\n" % number for number in range(1000)),
    "sizes.toml": (
        b"games = 400\nplayers = [3, 4]\nline_ups = [['greedy']]\n"
        b"clan_sets = { given = [['bear', 'fox', 'koi', 'owl', 'deer', 'tiger']] }\n"
    ),
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a function that writes files into an empty folder, which becomes the working one."""
    monkeypatch.chdir(tmp_path)

    def write(**contents: str | bytes) -> None:
        for name, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / name).write_bytes(data)

    return write


@pytest.mark.parametrize(("words", "sentence"), LINES)
def test_a_wrong_command_is_refused_in_a_sentence(files, refusal, words, sentence) -> None:
    files(**FILES)
    said = refusal(*shlex.split(words))
    assert sentence in said
    assert len(said) < 6000
    assert sorted(path.name for path in Path().iterdir()) == sorted(FILES)


@pytest.mark.parametrize("words", ["sweep none --out /proc/new", "play --out /proc/new.jsonl"])
def test_an_output_that_cannot_be_written_is_refused_before_anything_else(refusal, words) -> None:
    assert "cannot be written" in refusal(*words.split(), code=1)


@pytest.mark.parametrize(("content", "sentence"), VARIANTS)
def test_a_wrong_variant_is_refused_in_a_sentence(files, refusal, content, sentence) -> None:
    files(**{"house.toml": content})
    said = refusal(*HOUSE.split())
    assert sentence in said
    assert len(said) < 400


@pytest.mark.parametrize(("content", "line", "sentence"), POWERS)
def test_a_wrong_power_is_refused_with_its_line(files, refusal, content, line, sentence) -> None:
    files(**{"bird.py": HEAD + content})
    said = refusal(*BIRD.split())
    assert sentence in said
    assert (f"bird.py:{HEAD.count(chr(10)) + line}: " if line else "bird.py'") in said


SPEC = """
name = 'a'
games = 100000
players = [2]
clan_sets = { sample = 1 }
line_ups = [['greedy', 'random']]
"""


@pytest.mark.parametrize(
    "words",
    [
        "match --players 2 --clans bear,fox,koi,owl,deer,dog",
        "match --strategies greedy,none",
        "match --games 99999999",
        "play --players 2 --clans bear,fox,koi,owl,deer,dog",
        "sweep spec.toml --set cards_per_clan=1 --out new",
        "sweep nobody.toml --out new",
        "strategies rate --strategies greedy,greedy",
    ],
)
def test_input_is_checked_before_anything_is_compiled(files, refusal, monkeypatch, words) -> None:
    files(**{"spec.toml": SPEC, "nobody.toml": SPEC.replace("greedy", "nobody")})

    def compiled(missing: object) -> None:
        pytest.fail("something is compiled")

    for package, function in (
        ("experiments.matches", "prepare_match"),
        ("experiments.execution", "prepare_plan"),
    ):
        monkeypatch.setattr(module_with(package, function), "compile_ahead", compiled)
    refusal(*shlex.split(words))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(("NUMBA_NUM_THREADS", threads) for threads in ("0", "-1", "many")),
        ("NUMBA_CPU_NAME", "zenver3"),
        ("NUMBA_CPU_FEATURES", "-avx2,+nosuch"),
        ("NUMBA_CPU_FEATURES", "avx2"),
        ("NUMBA_DISABLE_JIT", "1"),
    ],
)
def test_a_variable_that_the_compiler_rejects_is_refused(
    capfd, monkeypatch, variable, value
) -> None:
    monkeypatch.setenv(variable, value)
    assert run("match", "--strategies", "greedy,random", "--games", "10") == 2
    said = capfd.readouterr().err  # what LLVM prints, too
    assert variable in said
    assert said.count("\n") == 1


def test_python_without_the_text_of_the_help_is_refused() -> None:
    assert "PYTHONOPTIMIZE" in python("-OO", "-m", "ethnos_sim", "match", "--help", code=2).stderr


def test_checking_an_output_path_leaves_the_folder_unchanged(tmp_path) -> None:
    for name, folder in (("one/two", True), ("one.txt", False), ("", True)):
        check_writable(tmp_path / name, is_folder=folder)
    assert list(tmp_path.iterdir()) == []


def test_a_long_value_is_shortened_in_the_middle(refusal) -> None:
    said = refusal("match", "--strategies", "a" * 5000 + " " + "b" * 5000)
    assert "aaa...bbb" in said
    assert len(said) < 1000


def test_control_characters_are_escaped_in_a_refusal(refusal) -> None:
    said = refusal("match", "--strategies", "\x1b[2Jgreedy")
    assert "\\x1b[2Jgreedy" in said
    assert "\x1b" not in said
