"""How a net learns to play: self-play, a league, generations, the best responder to a player."""
