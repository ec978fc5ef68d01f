"""The report page of a sweep: views of one table of numbers."""
