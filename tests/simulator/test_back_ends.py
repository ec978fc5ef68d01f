"""Both back ends of the compiler play the same games, so the plain one can replace the fast one."""

import pytest
from commands import python
from inside import module_with
from inside.reports.gate import compute_signatures, name_of

from ethnos_sim.experiments import Partition
from ethnos_sim.simulator import WrongInput, load_rules

compilation = module_with("simulator.compiler", "compile_callback")
pytestmark = pytest.mark.long
PLACE = Partition("second", 4, "standard")
SIGNATURE = f"""
from {compute_signatures.__module__} import compute_signatures
from ethnos_sim.experiments import Partition
from ethnos_sim.simulator import load_rules
place = Partition("second", 4, "standard")
found = compute_signatures({{place: load_rules("second")}}, ["greedy"])
print(*found.hashes.values())
"""


def test_both_back_ends_play_the_same_games() -> None:
    """One strategy plays here; `check` compares all with the stored signatures once a week."""
    fast = compute_signatures({PLACE: load_rules("second")}, ["greedy"]).hashes[name_of(PLACE)]
    plain = python("-c", SIGNATURE, ETHNOS_SIM_COMPILER="plain")
    assert plain.stdout.split() == [fast], plain.stderr


def test_an_unknown_back_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETHNOS_SIM_COMPILER", "quick")
    with pytest.raises(WrongInput, match="ETHNOS_SIM_COMPILER is 'quick'; it may be fast or plain"):
        compilation._chosen_back_end()
