"""The strategies of the package, one idea a file; the registry finds them by themselves."""
