"""A malformed variant is refused in one sentence that names what is wrong, before any game."""

from pathlib import Path

import pytest

from ethnos_sim.simulator import load_rules

#: The kind of mistake, the variant file, and the sentence of the error.
WRONG = {
    "empty": ("", "needs a table [set] of names and values, [clans] or [table] with powers"),
    "no toml": ("bear.on_take 3", "cannot be read: Expected"),
    "unfinished": ('[set]\nname = "', "cannot be read"),
    "twice": ("[set]\nhand_limit = 8\nhand_limit = 9", "cannot be read: Cannot overwrite a value"),
    "unknown key": ("[set]\n[clan.phoenix]\npower = 'wild'", "'clan'; did you mean 'clans'?"),
    "unknown table": ("[sett]\nhand_limit = 8", "'sett'; did you mean 'set'?"),
    "set no table": ("set = [1]", "'set' in the variant file"),
    "clans no table": ("clans = 'phoenix'", "'clans' in the variant file"),
    "description": ("description = 3\n[set]", "have to be text"),
    "edition": ("edition = 2\n[set]", "have to be text"),
    "another edition": ("edition = 'first'\n[set]", "is for the first edition, not for the second"),
    "value": ("[set]\nhandlimit = 8", "did you mean 'hand_limit'?"),
    "clan's value": ("[set]\nbear.on_tak = 8", "did you mean 'bear.on_take'?"),
    "without its clan": ("[set]\non_take = 3", "did you mean 'bear.on_take'?"),
    "too large": ("[set]\nhand_limit = 99", "a whole number from 1 to 15, not 99"),
    "below": ("[set]\nbear.on_take = -1", "a whole number from 0 to 99, not -1"),
    "enormous": (f"[set]\nmarkers = {10**40}", "markers must be a whole number from 3 to 100"),
    "not a number": ("[set]\nhand_limit = nan", "a whole number from 1 to 15, not NaN"),
    "text": ("[set]\nhand_limit = '8'", 'not "8"'),
    "flag for number": ("[set]\nhand_limit = true", "not true"),
    "number for flag": ("[set]\nkoi.each_symbol = 1", "must be true or false, not 1"),
    "date": ("[set]\nhand_limit = 2020-01-01", "a whole number"),
    "list for number": ("[set]\nbear.on_take = [1]", "a whole number from 0 to 99, not [1]"),
    "number for list": ("[set]\nbear.age_4_6 = 3", "a list of 1 to 3 whole numbers"),
    "list too short": ("[set]\nparty_points = [1, 2]", "a list of 7 whole numbers"),
    "falling list": ("[set]\nkoi.symbols = [5, 3]", "each larger than the one before"),
    "choices": ("[set]\ncards_per_clan = 8", "6 or 12, not 8"),
    "element": ("[set]\n'bear.age_4_6[1]' = 8", "did you mean 'bear.age_4_6'?"),
    "empty table for value": ("[set.hand_limit]", "a whole number from 1 to 15, not {}"),
    "power": ("[clans]\nphoenix = 'secnd_party'", "did you mean 'second_party'?"),
    "custom": ("[clans]\nphoenix = 'custom'", "FILE.py:NAME"),
    "no power": ("[clans.phoenix]\nfollow_ups = 1", "'phoenix' needs a power"),
    "true": ("[clans]\nphoenix = true", "unknown power of 'phoenix' 'true'"),
    "power a table": ("[clans.phoenix.power]\nname = 'wild'", "'phoenix' needs a power"),
    "value of a clan": ("[clans.x]\npower = 'wild'\nscord = true", "did you mean 'x.scored'?"),
    "capital": ("[clans]\nPhoenix = 'wild'", "'Phoenix' is no name for a clan"),
    "sign": ("[clans]\n'red-panda' = 'wild'", "'red-panda' is no name for a clan"),
    "long name": (f"[clans]\n{'x' * 41} = 'wild'", "is no name for a clan"),
    "reserved": ("[clans]\npays = 'wild'", "no clan can be called 'pays'"),
    "out": ("[clans]\nbaer = false", "clan to take out 'baer'; did you mean 'bear'?"),
    "out and changed": ("[clans]\nbear = false\n[set]\nbear.on_take = 3", "'bear.on_take'"),
    "17 clans": (
        "[clans]\n" + "".join(f"c{n} = 'wild'\n" for n in range(5)),
        "the rules have 17 clans; 1 to 16 fit",
    ),
    "no clans": (
        "[clans]\n"
        + "".join(
            f"{clan} = false\n"
            for clan in (
                *("owl", "rabbit", "red_panda", "bear", "koi", "tiger"),
                *("monkey", "dog", "fox", "deer", "raven", "raccoon"),
            )
        ),
        "the rules have 0 clans",
    ),
    "too few for a game": (
        "[set]\nclans_4_6 = 7\n[clans]\n"
        + "".join(f"{clan} = false\n" for clan in ("owl", "koi", "dog", "fox", "bear", "deer")),
        "clans_4_6 = 7 is more than the 6 clans",
    ),
    "last dragon": ("[set]\nlast_dragon = 4", "last_dragon = 4 is more than dragons = 3"),
    "symbols": ("[set]\nkoi.last_space = 3", "koi.symbols reaches space"),
    "ages": ("[set]\nbear.age_4_6 = [2]", "bear.age_4_6 needs 3 numbers"),
    "tokens": ("[set]\nprestige_tokens.base = [1, 2, 3, 4, 5, 6, 7]", "do not go evenly"),
    "pays": ("[set]\npays.age_1 = [3]\nprestige_tokens.four_plus = []", "pays.age_1 gives out"),
    "power file": ("[clans]\nphoenix = 'none.py:bird'", "no power file"),
    "power file's name": ("[clans]\nphoenix = '.py:bird'", "no power file"),
    "custom power's value": ("[clans]\nphoenix = 'none.py:'", "none.py"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_malformed_variant_is_refused_in_a_sentence(wrong: str, refusal, tmp_path: Path) -> None:
    text, said = WRONG[wrong]
    variant = tmp_path / "variant.toml"
    variant.write_text(text, encoding="utf-8")
    sentence = refusal("rules", "show", "second", "--variant", variant)
    assert said in sentence
    assert len(sentence) < 400
    assert variant.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "content", [b"\xff\xfe[\x00", b"[set]\nhand_limit\x00 = 3", b"\xef\xbb\xbf"]
)
def test_a_variant_file_that_is_not_text_is_refused(
    content: bytes, refusal, tmp_path: Path
) -> None:
    (tmp_path / "variant.toml").write_bytes(content)
    refusal("rules", "show", "second", "--variant", tmp_path / "variant.toml")


def test_a_folder_or_a_missing_file_is_refused_as_a_variant(refusal, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none.toml"):
        assert str(place) in refusal("rules", "show", "second", "--variant", place)


def test_a_variant_may_have_a_byte_order_mark_and_windows_line_ends(tmp_path: Path):
    variant = tmp_path / "variant.toml"
    variant.write_bytes(b"\xef\xbb\xbf[set]\r\nbear.on_take = 3\r\n")
    assert (
        load_rules("second", [variant]).rules_id
        == load_rules("second", overrides=["bear.on_take=3"]).rules_id
    )
