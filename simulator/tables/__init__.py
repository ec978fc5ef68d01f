"""Tables to play at: modes, seats, work lists, batches of games and their traces."""
