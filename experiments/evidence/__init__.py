"""Evidence: the integer sums of a sweep's rows by block of deals, from which numbers come."""
