"""Step games from outside: some seats get their answers one by one, as numbered actions.

The kernel asks players in the middle of a turn and cannot wait. So a seat that is played from
outside leaves its question unanswered, which stops the turn. The game goes back to the beginning of
the turn, and the turn runs again once one more answer is there. Turns are deterministic, so the
same kernel can play all games.

`actions` numbers the possible answers, `observations` turns the acting player's view into numbers,
and `stepper` plays arrays of games from answer to answer.
"""
