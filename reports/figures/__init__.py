"""The figures of a report: matplotlib drawings as inline SVG, safe for color-blind readers."""
