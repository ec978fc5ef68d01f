"""A document as data, and its HTML, Markdown, CSV and Parquet."""
