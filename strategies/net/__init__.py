"""The net of `learned`: what it reads off a view, and its layers.

`inputs`, `hand` and `regions` read the position after a move, which is never built: they compute it
from the view, so a decision copies nothing. `layers` turns the inputs into the chance to win and
the margin. `afterstates` says which moves are valued, and where they lead.
"""
