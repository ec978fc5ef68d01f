"""The report page of a sweep: answers and figures from one table of numbers."""
