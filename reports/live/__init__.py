"""The engine in a page: what the page embeds of it, and the scripts that play with it."""
