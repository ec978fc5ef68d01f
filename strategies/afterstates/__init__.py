"""Values of positions after a move: inputs read off the view, a small net, and moves to value.

The position after a move is never built. Its inputs are computed from the view, so a decision
copies nothing. Inputs that all moves of a decision share are summed once in the net's first layer.
"""
