"""Games and their numbers: specs, plans, sweeps, matches, statistics, searches and training."""

if __name__ != "ethnos_sim.experiments":
    raise ImportError(f"import this package as 'ethnos_sim.experiments', not as '{__name__}'")
