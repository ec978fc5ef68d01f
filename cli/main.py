"""The `ethnos-sim` command."""
