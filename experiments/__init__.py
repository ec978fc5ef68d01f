"""What to play: specs, designs over clan sets, plans, execution and the results on disk."""

if __name__ != "ethnos_sim.experiments":
    raise ImportError(f"import this package as 'ethnos_sim.experiments', not as '{__name__}'")
