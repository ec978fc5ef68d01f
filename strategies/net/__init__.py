"""The net of `learned`: what it reads off a view, and its layers.

`inputs`, `hand` and `regions` compute the inputs of the position after a move from the view before
it and the move's effects, so a decision copies no position. `layers` turns the inputs into the
chance to win and the margin. `afterstates` says which moves are valued, and where they lead.
"""
