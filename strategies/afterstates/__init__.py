"""Afterstates: the moves worth a look, where a move leads, and how the net values that position.

Inputs that all moves of a decision share are summed once in the net's first layer.
"""
