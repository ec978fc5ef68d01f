"""Reports: estimators, tables, figures and pages."""

if __name__ != "ethnos_sim.reports":
    raise ImportError(f"import this package as 'ethnos_sim.reports', not as '{__name__}'")

from ethnos_sim.simulator.utilities.offering import offer

__getattr__, __dir__, __all__ = offer(
    __name__,
    {
        "comparison.differences": "compare_numbers",
        "comparison.two_rule_sets": "RuleChoice Setup",
        "comparison.sides": "Side compare_sides",
        "estimators.catalog": "ESTIMANDS margin_of ranked word_of",
        "estimators.interventions": "relative_power",
        ".experiments.evidence.evidence": "Evidence MIXED Setting Situation",
        ".experiments.evidence.game_numbers": "SOURCES",
        ".experiments.evidence.gathering": "PlanGatherer gather put_together",
        ".experiments.evidence.intervention_sums": "InterventionSums",
        ".experiments.evidence.sums": "Sums",
        "gate.baseline": "read_baseline write_baseline",
        "gate.decision": "GateResult",
        "gate.plans": "gate_plans",
        "page.report": "Report make_report write_report",
        "rating.rating": "Rating rate rate_strategies",
        "rendering.document": "Figure Mark Section walk",
        "rendering.html": "as_html",
        "rendering.markdown": "as_markdown",
        "rendering.table": "Table",
        "study": "Study play_evidence run_study",
    },
)
