"""What is compiled before the first test, in processes of their own."""

from __future__ import annotations

#: Strategies that take longest to compile, which are begun with.
SLOWEST = ("lookahead", "learned", "champion")


def compiled(strategy: str) -> None:
    """Compile a strategy, or the engine for ""."""
    from ethnos_sim.simulator.batch import play_seats
    from ethnos_sim.simulator.rules import load_rules
    from ethnos_sim.strategies import LineUp

    rules = load_rules("second")
    seats = LineUp.parse(strategy or "greedy", 2, rules).seats()
    if not strategy:
        play_seats(rules, players=2, clans=rules.clans[:5], seats=seats, seed=0, deals=1)
