"""A report distinguishes the populations from which a spec draws line-ups."""

from dataclasses import replace

from inside.experiments.evidence import is_one_strategy
from toy_sweep import toy_evidence, toy_plan


def test_a_population_has_its_own_numbers_and_is_named_with_its_strategies() -> None:
    line_ups = {("alpha", "beta"): "", ("alpha",): "", ("beta",): "strongest"}
    plan = toy_plan(line_ups=tuple(line_ups), rounds=8)
    names = [*line_ups.values()] * 2  # at two clan sets
    cells = map(lambda cell, name: replace(cell, population=name), plan.cells, names)
    evidence = toy_evidence(replace(plan, cells=tuple(cells)))
    described = {evidence.describe_population(at): at.population for at in evidence.situations}
    single = {text: is_one_strategy(population) for text, population in described.items()}
    assert single == {
        "mixed: alpha, beta": False,
        "alpha in all seats": True,
        "strongest population: beta": False,
    }
