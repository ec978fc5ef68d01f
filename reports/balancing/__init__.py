"""The command `balance`: evaluations of a search, validation on fresh deals, and the report."""
