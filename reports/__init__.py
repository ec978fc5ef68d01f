"""Reports: estimators, tables, figures and pages."""

if __name__ != "ethnos_sim.reports":
    raise ImportError(f"import this package as 'ethnos_sim.reports', not as '{__name__}'")
