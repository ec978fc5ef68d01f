"""The training of a net: lessons by looking ahead, generations, trials."""
