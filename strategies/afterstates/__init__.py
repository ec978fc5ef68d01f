"""Afterstates: the moves worth a look, where each one leads, and how the net values it.

Inputs that all moves of a decision share are summed once in the net's first layer.
"""
