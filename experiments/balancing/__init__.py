"""Balancing: which values of the rules bring the clans, or any headline number, nearest to a goal.

`spec` holds the values to move and the goals, `space` the rule sets that can be reached, `goals`
the distance of a rule set from the goals, `surface` predictions for rule sets that were not played,
and `search` the choice of what to play next. `ethnos_sim.reports.balancing` plays and measures.
"""
