"""Which of the compiler's two back ends compiles: the fast one unless a variable says otherwise.

Once a week `check` compares the games of both with the stored signatures.
"""

import pytest
from inside import module_with

from ethnos_sim.simulator import WrongInput

compilation = module_with("simulator.compiler", "compile_callback")


def test_an_unknown_back_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETHNOS_SIM_COMPILER", "quick")
    with pytest.raises(WrongInput, match="ETHNOS_SIM_COMPILER is 'quick'; it may be fast or plain"):
        compilation._chosen_back_end()
