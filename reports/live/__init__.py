"""Games in a page: the data of the engine, and the scripts that play with it."""
