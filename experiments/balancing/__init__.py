"""Balancing: which values of the rules bring the clans, or another number, nearest to a target.

`space` has the rule sets that can be reached, `target` the distance of a rule set from the target,
`surface` predictions for rule sets that were not played, and `search` the choice of what to play
next. `ethnos_sim.reports.balancing` plays and measures.
"""
