"""The training of the net of `learned`: self-play, steps, and trials, in generations."""
