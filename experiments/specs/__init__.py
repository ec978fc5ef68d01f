"""Specs of sweeps: their parts and checks, and the bundled specs."""
