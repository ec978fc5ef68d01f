"""A game to watch: one page that shows a trace event by event, from one file, without a server."""
