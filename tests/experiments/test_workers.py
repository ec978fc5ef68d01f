"""Workers of a cluster: they say how their program differs, and get the files they lack."""

import pytest
from inside import module_with
from inside.experiments.execution import differences, pack, play_packed
from kit.custom import strategy_file

from ethnos_sim.experiments import missing_shards
from ethnos_sim.simulator import Failed

workers = module_with("experiments.execution", "differences")

pytestmark = pytest.mark.long


def test_a_worker_reports_how_its_program_differs(small_plan, monkeypatch) -> None:
    packed = pack(small_plan, [])
    assert differences(packed) == []
    monkeypatch.setattr(workers, "package_version", lambda: "0.0.9")
    monkeypatch.setattr(workers, "kernel_source", lambda: "0123456789abcdef")
    assert differences(packed) == [
        f"version 0.0.9 instead of {small_plan.version}",
        "another simulator",
    ]
    workers._ready.cache_clear()
    with pytest.raises(Failed, match=r"version 0\.0\.9"):
        play_packed(packed, missing_shards(small_plan, [])[0])


def test_a_worker_gets_strategy_files_that_its_machine_lacks(small_plan, tmp_path) -> None:
    from ethnos_sim.strategies import get_strategy

    file = strategy_file(tmp_path, "sent_along")
    packed = pack(small_plan, [file])
    file.unlink()
    assert differences(packed) == []
    assert get_strategy("sent_along").name == "sent_along"
