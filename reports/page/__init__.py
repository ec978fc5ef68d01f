"""The page: what a sweep says, as views of the one table of numbers."""
