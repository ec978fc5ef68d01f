"""The worked example of docs/workshop.md: a clan too strong, and one number that mends it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ethnos_sim.main import run

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "workshop.md"
CLANS = "phoenix,owl,koi,tiger,raven,rabbit"


@pytest.fixture
def share(tmp_path, capsys):
    """The win share of one champion who may not lead a clan, with its interval."""
    (text,) = re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    variant = tmp_path / "phoenix.toml"
    variant.write_text(text, encoding="utf-8")

    def played(clan: str, on_take: int) -> tuple[float, float]:
        words = ["match", "--variant", str(variant), "--clans", CLANS, "--players", "4", "--json"]
        words += ["--strategies", f"champion:never_leads={clan},champion,champion,champion"]
        words += ["--games", "4000", "--set", f"phoenix.on_take={on_take}"]
        capsys.readouterr()
        assert run(words) == 0
        first = json.loads(capsys.readouterr().out)["strategies"][0]
        return first["low"], first["high"]

    return played


def test_the_clan_is_too_strong_and_in_the_middle_with_one_number_changed(share) -> None:
    """Intervals that lie apart by 5 points or more: chance moves none of them so far."""
    koi, owl = share("koi", 4), share("owl", 4)
    strong, mended = share("phoenix", 12), share("phoenix", 1)
    assert strong[1] < koi[0]
    assert koi[1] < mended[0]
    assert mended[1] < owl[0]
