"""The game of Ethnos: rules as data, the compiled kernel, batches of games and their traces."""

if __name__ != "ethnos_sim.simulator":
    raise ImportError(f"import this package as 'ethnos_sim.simulator', not as '{__name__}'")
