"""Estimators: the modules that turn integer sums into estimates with intervals."""
