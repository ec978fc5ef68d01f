"""What differs between two rule sets, or two results: differences, their words, and clan ranks."""
