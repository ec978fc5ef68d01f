"""The search for values of the rules that bring the clans, or a number, nearest to a target.

`space` has the rule sets of a search, `target` the distance of a rule set from the target,
`surface` predicts the numbers of rule sets that were not played, and `search` chooses what to play
next. `ethnos_sim.reports.balancing` plays the games and measures the numbers.
"""
