"""Faults: what is done to the program from outside, and what has to hold afterwards.

`test_faults.py` has the list, `ground.py` the place where each is tried, and a file each what is
done: kill, signal, damage, replace, fill, bad value, fuzz. `docs/results.md` says what is
promised.
"""
