"""Games stepped from outside: some seats' answers come one by one, as numbered actions.

The kernel asks its players in the middle of a turn and waits for nobody. Here a seat that is played
from outside leaves its question unanswered, which stops the turn; the game goes back to where the
turn began, and the turn is run again once one more answer is there. Turns are deterministic, so
the same kernel plays every game, whoever decides.

`actions` numbers what can be answered, `observations` writes what the acting player sees as
numbers, `stepper` plays arrays of games from answer to answer.
"""
