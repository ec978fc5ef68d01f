"""How players decide: the strategy API, the registry and the strategies, one idea a file."""

if __name__ != "ethnos_sim.strategies":
    raise ImportError(f"import this package as 'ethnos_sim.strategies', not as '{__name__}'")
