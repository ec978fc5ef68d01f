"""Games for learning agents: the stepped games of the simulator in the forms that libraries expect.

`making.make_env` is the way in. The arrays need nothing but this package; Gymnasium's and
PettingZoo's forms need those libraries (`pip install "ethnos-sim[environments]"`).
"""
