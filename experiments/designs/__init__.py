"""Designs of clan sets: which clans play in a sweep."""
