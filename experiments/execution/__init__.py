"""Playing a plan: engines, workers, progress, and when a target is reached."""
