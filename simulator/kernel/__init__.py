"""The compiled game, from the deal to the final score, with a file for each topic of the rules.

Every function here is compiled by Numba and works on `simulator.game.records`: `view` (open
to all), `hidden` (deck, hands, private records, running result) and `log` (the event buffer
of a trace, with address 0 if no trace is wanted). A function that may stop a game returns a fault
(a constant of `faults`) or NO_FAULT; if it returns several results, the fault is the first.
"""
