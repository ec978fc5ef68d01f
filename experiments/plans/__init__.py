"""Plans of sweeps, frozen and hashed: cells, shards, and looks at a target."""
