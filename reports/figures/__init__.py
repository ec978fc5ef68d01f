"""The figures of a report: as they are saved, safe for color-blind readers."""
