"""The strategies of the package, a file for each idea; the registry imports every file here."""
