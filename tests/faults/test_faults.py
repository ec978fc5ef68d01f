"""The program survives every fault: nothing is lost, and nothing gets in.

A test run tries the short faults; `make faults`, which sets FAULTS, tries all.
"""

import os

import pytest

from faults import damage, filling, fuzz, pages, stopping
from faults.fault import Fault

pytestmark = pytest.mark.long

#: The modules of faults; every new one is added here.
KINDS = (damage, filling, fuzz, pages, stopping)
FAULTS: list[Fault] = [fault for kind in KINDS for fault in kind.FAULTS]
CHOSEN = [fault for fault in FAULTS if fault.short or "FAULTS" in os.environ]


@pytest.mark.parametrize("fault", CHOSEN, ids=str)
def test_a_fault_is_survived(fault, ground):
    fault.strike(ground)
    ground.nothing_outside_was_touched()
