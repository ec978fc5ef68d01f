"""Balancing measured and told: looks at rule sets, the finalists on fresh deals, effects, pages."""
