"""Games that are played in memory and not stored: matches, batches, tournaments, positions."""
