"""Compare two rule sets or two results: differences, verdicts, and ranks of clans."""
