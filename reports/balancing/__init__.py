"""Balancing measured and told: evaluations, finalists on fresh deals, effects, pages."""
