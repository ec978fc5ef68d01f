"""Environments for learning agents: the simulator's stepped games behind standard interfaces.

Start with `making.make_env`. Arrays need nothing but this package; the Gymnasium and PettingZoo
environments need those libraries (`pip install "ethnos-sim[environments]"`).
"""
