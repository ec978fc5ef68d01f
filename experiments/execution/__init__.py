"""Playing a plan: engines, workers, progress, and looks at the precision."""
