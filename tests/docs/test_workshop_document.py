"""The worked example of docs/workshop.md: a clan is too strong, and one number mends it."""

import json
import re
from pathlib import Path

import pytest
from commands import run

pytestmark = pytest.mark.long

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "workshop.md"
CLANS = "phoenix,owl,koi,tiger,raven,rabbit"


def _files() -> list[str]:
    """The variant and the spec in the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    return re.findall(r"```toml\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def share(tmp_path, capsys):
    """Return a function that plays a match in which one learned player never leads a clan.

    It returns the interval of this player's win share.
    """
    variant = tmp_path / "phoenix.toml"
    variant.write_text(_files()[0], encoding="utf-8")

    def played(clan: str, on_take: int) -> tuple[float, float]:
        words = ["match", "--variant", str(variant), "--clans", CLANS, "--players", "4", "--json"]
        words += ["--strategies", f"learned:never_leads={clan},learned,learned,learned"]
        words += ["--games", "1200", "--set", f"phoenix.on_take={on_take}"]
        capsys.readouterr()
        assert run(*words) == 0
        first = json.loads(capsys.readouterr().out)["strategies"][0]
        return first["low"], first["high"]

    return played


def test_the_clan_is_too_strong_and_one_changed_number_makes_it_average(share) -> None:
    """The intervals lie at least 5 points apart, so chance does not change their order."""
    koi, tiger = share("koi", 4), share("tiger", 4)
    strong, mended = share("phoenix", 12), share("phoenix", 1)
    assert strong[1] < koi[0]
    assert koi[1] < mended[0]
    assert mended[1] < tiger[0]


def test_the_gate_passes_the_guarded_variant_and_fails_the_number_set_back(tmp_path) -> None:
    """The test plays one clan set, and fewer games than the document's spec."""
    text, spec = _files()
    variant = tmp_path / "phoenix.toml"
    variant.write_text(text.replace("on_take = 12", "on_take = 1"), encoding="utf-8")
    spec = spec.replace("40_000", "2_000")
    one_set = f"{{ given = [{json.dumps(CLANS.split(','))}] }}"
    spec = spec.replace('{ with = "phoenix" }', one_set)
    (tmp_path / "spec.toml").write_text(spec, encoding="utf-8")
    check = ["check", "--baseline", str(tmp_path / "baseline.toml")]
    first = ["record", *check[1:], "--spec", str(tmp_path / "spec.toml")]
    assert run("check", *first) == 0
    assert run(*check, "--only", "signatures") == 0
    variant.write_text(text, encoding="utf-8")
    assert run(*check) == 3
