"""The folder of a sweep: writing, reading, checking and repairing it."""
