"""The compiled game: one file a topic of the rules, from the deal to the final score.

Every function here is compiled by Numba and works on the records of `simulator.records`: `view`
(open to all), `hidden` (deck, hands, private records, running result) and `log` (the event buffer
of a trace, without address when no trace is wanted). What may stop a game returns a fault of
`faults`, or NO_FAULT; first, where it returns more.
"""
