"""The compiled game, from the deal to the final score, with a file for each topic of the rules.

Every function here is compiled by Numba and works on `simulator.game.records`: `view` (what the
acting player sees), `hidden` (deck, hands, private records, running result) and `log` (the event
buffer of a trace; its address is 0 without a trace). A function that may stop a game returns a
fault (a constant of `faults`) or NO_FAULT; of several results, the fault is the first.
"""
