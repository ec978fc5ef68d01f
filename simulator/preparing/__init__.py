"""Turn rules into the records of tables, by compiled code."""
