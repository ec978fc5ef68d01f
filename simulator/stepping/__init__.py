"""Step games from outside: the caller answers for some seats, one numbered action at a time.

The kernel asks players in the middle of a turn and cannot wait. So a seat that is played from
outside leaves its question unanswered, which stops the turn. When the answer comes, the game goes
back to the start of the turn, and the turn runs again with this answer. A turn with the same
answers is always the same, so no second kernel is needed.

`actions` numbers the possible answers, `observations` turns the acting player's view into numbers,
and `stepper` plays many games from answer to answer.
"""
