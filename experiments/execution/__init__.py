"""Playing a plan: engines, workers and progress."""
