"""Values of positions after a move: inputs read off the view, a small net, and the moves it tries.

The position that a move leads to is never made: its inputs are worked out from the view, so a
decision copies nothing. What all moves of a decision share is summed once in the net's first layer.
"""
