"""Bad input ends with exit code 1 or 2, one clear sentence, and no half-written files."""

import shlex

import pytest
from commands import python, run
from inside import module_with
from inside.experiments.storage import check_writable

FOUR_PLAYERS = ["--edition", "second", "--players", "4", "--seed", "1"]
MATCH = ["match", *FOUR_PLAYERS, "--strategies", "greedy,random"]
#: Functions of the modules that compile what games need.
COMPILING = {"experiments.matches": "prepare_match", "experiments.execution": "prepare_tables"}

SPEC = """
name = 'a'
games = 100000
players = [2]
clan_sets = { sample = 1 }
line_ups = [['greedy', 'random']]
"""


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("match learned greedy", "match --strategies learned,greedy"),
        ("table koi,owl,bear", "table --clans koi,owl,bear"),
        ("table koi owl bear", "table --clans koi,owl,bear"),
        ("rules show bear", "rules show second"),
        ("rules show bear.on_take", "rules show second"),
        ("rules sources bear", "rules sources second"),
        ("compare second second", "second+bear.on_take=2"),
        ("compare second 2", "second+bear.on_take=2"),
        ("compare second+hand_limit=10 second", "second+bear.on_take=2"),
        ("compare second+hand_limit=10", "say what differs"),
        ("report --jobs 1 results --games 10", "'--games'. `ethnos-sim sweep` plays more games"),
        ("report --games=10", "without DIR there is '--quick'"),
        ("check --games 10", "'--games'. The baseline says how many; '--quick' plays a ninth"),
        ("check --baseline 'my own.toml'", "--baseline 'my own.toml' --spec FILE.toml` makes it"),
    ],
)
def test_a_nearly_right_command_is_refused_with_the_right_command_line(
    refusal, words, right
) -> None:
    assert right in refusal(*shlex.split(words))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(("NUMBA_NUM_THREADS", threads) for threads in ("0", "-1", "many")),
        ("NUMBA_CPU_NAME", "zenver3"),
        ("NUMBA_CPU_FEATURES", "-avx2,+nosuch"),
        ("NUMBA_CPU_FEATURES", "avx2"),
    ],
)
def test_a_variable_that_the_compiler_rejects_is_refused(
    capfd, monkeypatch, variable, value
) -> None:
    monkeypatch.setenv(variable, value)
    assert run(*MATCH, "--games", "10") == 2
    said = capfd.readouterr().err  # what LLVM prints, too
    assert variable in said
    assert said.count("\n") == 1


def test_python_without_the_text_of_the_help_is_refused() -> None:
    assert "PYTHONOPTIMIZE" in python("-OO", "-m", "ethnos_sim", "match", "--help", code=2).stderr


def test_output_in_ascii_shows_the_number_of_a_letter() -> None:
    done = python("-m", "ethnos_sim", "rules", "show", "second", PYTHONIOENCODING="ascii")
    assert done.stderr == ""
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    "words",
    [
        ["play", "--strategies", "none", "--out", "/proc/none.jsonl"],
        ["sweep", "none.toml", "--out", "/proc/none"],
        ["sweep", "none", "nor", "--out", "/proc/none"],
        ["report", "none", "--out", "/proc/none.html"],
        ["strategies", "tune", "none", "--save", "/proc/none.toml"],
        ["compare", "none", "nor", "--out", "/proc/none.html"],
    ],
    ids=" ".join,
)
def test_an_output_path_that_cannot_be_written_is_refused_first(refusal, words) -> None:
    assert "cannot be written" in refusal(*words, code=1)


def test_checking_an_output_path_leaves_the_folder_unchanged(tmp_path) -> None:
    for name, folder in (("one/two", True), ("one.txt", False), ("", True)):
        check_writable(tmp_path / name, folder=folder)
    assert list(tmp_path.iterdir()) == []


def test_a_long_value_is_shortened_in_the_middle(refusal) -> None:
    said = refusal("match", "--strategies", "a" * 5000 + " " + "b" * 5000)
    assert "aaa...bbb" in said
    assert len(said) < 1000


def test_control_characters_are_escaped_in_a_refusal(refusal) -> None:
    said = refusal("match", "--strategies", "\x1b[2Jgreedy")
    assert "\\x1b[2Jgreedy" in said
    assert "\x1b" not in said


def test_a_sweep_larger_than_the_disk_is_refused_before_a_game(refusal, tmp_path, monkeypatch):
    usage = type("usage", (), {"free": 100_000})
    monkeypatch.setattr("shutil.disk_usage", lambda folder: usage)
    (tmp_path / "spec.toml").write_text(SPEC, encoding="utf-8")
    said = refusal("sweep", tmp_path / "spec.toml", "--out", tmp_path / "out", "--quiet")
    assert "100.0 kB left" in said
    assert not (tmp_path / "out").exists()


#: Files that the command lines name.
FILES = {
    "bytes.toml": b"\xff",
    "empty.toml": b"",
    "digits.toml": b"games = " + b"9" * 5000,
    "digits.jsonl": b'{"game": ' + b"9" * 5000 + b"}",
    "long.toml": b"players = [" + b"2," * 50_000 + b"]",
    "names.toml": b"[set]\n" + b"".join(b"n%d = 1\n" % number for number in range(1000)),
    "sizes.toml": (
        b"games = 400\nplayers = [3, 4]\nline_ups = [['greedy']]\n"
        b"clan_sets = { given = [['bear', 'fox', 'koi', 'owl', 'deer', 'tiger']] }\n"
    ),
}


@pytest.mark.parametrize(
    "words",
    [
        "match --players 2 --clans bear,fox,koi,owl,deer,dog",
        "match --clans bear,bear,fox,koi,owl,deer",
        "match --mode recruitment --set pool_refill=1",
        "match --strategies greedy,none",
        "match --games 99999999",
        "play --players 2 --clans bear,fox,koi,owl,deer,dog",
        "sweep spec.toml --set cards_per_clan=1 --out new",
        "sweep nobody.toml --out new",
        "strategies rate --strategies greedy,greedy",
        "strategies tune learned",
    ],
)
def test_input_is_checked_before_anything_is_compiled(
    refusal, tmp_path, monkeypatch, words
) -> None:
    (tmp_path / "spec.toml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "nobody.toml").write_text(SPEC.replace("greedy", "nobody"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def compiled(missing: object) -> None:
        pytest.fail("something is compiled")

    for package in ("experiments.matches", "experiments.execution"):
        monkeypatch.setattr(module_with(package, COMPILING[package]), "compile_ahead", compiled)
    refusal(*shlex.split(words))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("match --mode solo-easy --strategies greedy,random", "do not fit 1 seat\n"),
        ("match --set bear.on_take=2 --set bear.on_take=3", "'bear.on_take' is given twice"),
        ("match --set bear.on_take=١٢", "'١٢' is no value for bear.on_take"),
        ("balance --vary bear.on_take=٠..٦", "names no value to move"),
        ("match --edition bytes.toml", "it is no text in UTF-8"),
        ("match --variant ..", "'..' is a folder; name its file"),
        ("match --variant ''", "a variant needs a name"),
        ("compare second+variant.tom", "'variant.tom'; a value is set by variant.tom=NUMBER.\n"),
        ("compare second+mine/variant", "there is no variant file 'mine/variant'.\n"),
        ("match --variant optional-marker.toml", "; did you mean 'optional-marker'?"),
        ("match --games 4e3", "'4e3' is not a whole number"),
        ("compare second", "say what differs"),
        ("compare third second", "'third' is neither an edition nor a folder"),
        ("compare second+bear.on_take=2 --mode solo-easy --players 3", "is for 1 player, not 3"),
        ("table --clans bear,koi --players 1", "1 player plays a solo mode"),
        ("check record --baseline b.toml --spec empty.toml", "line_ups: is missing"),
        ("report empty.toml", "holds no sweep"),
        ("strategies tune greedy --save bytes.toml", "holds no tuned parameters"),
        ("strategies train --out nets --from bytes.toml", "bytes.toml"),
        (f"match --games {'9' * 5000}", "is larger than 1,000,000,000,000."),
        (f"match --players {'9' * 50}", "is larger than 9,223,372,036,854,775,807."),
        (
            "compare second+bear.on_take=2 --games 1000000000000000",
            "is larger than 1,000,000,000,000.",
        ),
        ("sweep digits.toml --out new", "a number in it has too many digits"),
        ("match --edition digits.toml", "a number in it has too many digits"),
        ("match --variant digits.toml", "a number in it has too many digits"),
        ("play digits.jsonl", "a number in it has too many digits"),
        ("sweep long.toml --out new", "'players' has 50,000 entries; at most 2,000 fit\n"),
        ("match --variant long.toml", "'players' has 50,000 entries; at most 2,000 fit."),
        ("match --variant names.toml", "and 980 more.\n"),
        ("table --clans bears,foxes,owl,deer,tiger,koi", "'foxes'; did you mean 'fox'?\n"),
        ("match --clans bears,foxes,owl,deer,tiger,koi", "'foxes'; did you mean 'fox'?\n"),
        (
            "table --clans merfolk,fox,owl,deer,tiger,bear",
            "of the first edition, did you mean 'koi'",
        ),
        ("match --strategies specialist:clan=merfolk", "of the first edition, did you mean 'koi'"),
        ("match --set clans.merfolk=false", "'merfolk'; did you mean 'koi'?\n"),
        ("match --edition first --clans raccoon", "second edition, no clan here has its power\n"),
        ("match --set kept_cards=2", "did you mean 'cards_kept'?\n"),
        ("match --set deck=2", "and docs/recipes.md says what a power of the table can do instead"),
        ("sweep sizes.toml --out new", "give 'five' and 'six' their own sets\n"),
        *((f"{words} ''", "needs a name") for words in ("init", "report", "play")),
        ("sweep '' --out new", "needs a name"),
    ],
)
def test_an_impossible_wish_is_refused_with_the_reason(
    tmp_path, monkeypatch, capsys, words, sentence
) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    assert run(*shlex.split(words)) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.startswith("Error: ")) == ("", True)
    assert sentence in said.err
    assert len(said.err) < 6000
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
