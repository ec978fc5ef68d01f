"""What is estimated: one module an estimand, from integer sums to estimates with intervals."""
