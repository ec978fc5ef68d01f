"""Faults: attacks on the program from outside, and what must still hold after them.

`test_faults.py` has the list, and `ground.py` the place where each fault is tried. Each other file
has one kind of fault: kill, signal, damage, replace, fill, page, fuzz. `docs/results.md` has
the promises.
"""
