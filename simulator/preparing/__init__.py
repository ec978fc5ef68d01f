"""Prepare tables: write rules as records, and fill the records that games begin with."""
