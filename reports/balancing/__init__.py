"""Measure and report balancing: evaluations, finalists on fresh deals, pages."""
