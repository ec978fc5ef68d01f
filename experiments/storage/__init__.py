"""The folder of a sweep: writing it, reading it, checking it, and playing its games again."""
