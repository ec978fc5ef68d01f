"""Games played at once and kept in memory: matches, batches, tournaments, positions."""
