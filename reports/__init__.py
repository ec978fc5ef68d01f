"""Reports: estimators, tables, figures and pages."""

if __name__ != "ethnos_sim.reports":
    raise ImportError(f"import this package as 'ethnos_sim.reports', not as '{__name__}'")

from ethnos_sim.simulator.utilities.offering import offer

__getattr__, __dir__, __all__ = offer(
    __name__,
    {
        "comparison.two_rule_sets": "Setup",
        "estimators.catalog": "ESTIMANDS",
        ".experiments.evidence.evidence": "Evidence RuleSetName Situation",
        ".experiments.evidence.gathering": "PlanGatherer gather",
        ".experiments.evidence.sums": "Sums",
        "page.report": "Report make_report write_report",
        "rating.rating": "Rating rate rate_strategies",
        "rendering.document": "Figure",
        "rendering.html": "as_html",
        "rendering.markdown": "as_markdown",
        "rendering.table": "Table",
        "study": "Study play_evidence run_study",
    },
)
