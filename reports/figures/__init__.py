"""The figures of a report: charts as inline SVG, safe for color-blind readers."""
