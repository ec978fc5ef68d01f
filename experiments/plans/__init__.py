"""Plans of sweeps, frozen and hashed: cells and shards."""
