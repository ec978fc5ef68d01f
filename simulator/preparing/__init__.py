"""Rules as stated, by name and by clan, made into the records of tables by compiled code."""
