"""The rating of strategies by tournaments and matches: win shares, and who beats whom."""
