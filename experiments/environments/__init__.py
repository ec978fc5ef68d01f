"""Environments for learning agents: the simulator's stepped games behind standard interfaces.

Start with `environment.make_env`. Arrays need nothing but this package; environments of Gymnasium
and PettingZoo need these libraries (`pip install "ethnos-sim[environments]"`).
"""
