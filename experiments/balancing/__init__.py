"""Balancing: which values of the rules bring the clans, or any headline number, nearest to a goal.

`spec` says what may move and what is wanted, `space` which rule sets that makes, `goals` how far
a rule set is from what is wanted, `surface` what is known of rule sets that were not played, and
`search` what to play next. Playing and measuring is `ethnos_sim.reports.balancing`'s.
"""
