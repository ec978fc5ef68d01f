"""The one table of numbers, of which pages, comparisons, the gate and notebooks are views."""
