"""The training of a net: self-play, a league, generations."""
