"""From sums by block of deals to estimates with intervals; nothing here knows the game."""
