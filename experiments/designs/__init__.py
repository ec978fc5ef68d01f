"""Which clans, line-ups and strategies a sweep puts at its tables."""
