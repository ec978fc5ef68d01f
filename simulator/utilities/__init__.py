"""Utilities for all packages: errors, lazy imports, files that users name, worker processes."""
