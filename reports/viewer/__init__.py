"""The page of a game: one file that shows a trace turn by turn, and lets a person play."""
