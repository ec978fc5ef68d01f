"""The claim of docs/workshop.md: a clan is too strong, and one number mends it."""

import json
from pathlib import Path

import pytest
from commands import run

pytestmark = pytest.mark.long

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "workshop.md"
CLANS = "phoenix,owl,koi,tiger,raven,rabbit"


@pytest.fixture
def share(tmp_path, capsys):
    """Return a function that plays a match in which one learned player never leads a clan.

    It returns the interval of this player's win share.
    """
    variant = tmp_path / "phoenix.toml"
    text = DOCUMENT.read_text(encoding="utf-8")
    variant.write_text(text.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")

    def played(clan: str, on_take: int) -> tuple[float, float]:
        rules = f"second+{variant}+phoenix.on_take={on_take}"
        words = ["match", "--edition", rules, "--clans", CLANS, "--players", "4", "--json"]
        words += ["--strategies", f"learned:never_leads={clan},learned,learned,learned"]
        words += ["--games", "1200"]
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
