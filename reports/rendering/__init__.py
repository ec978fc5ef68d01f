"""A document as data, and how it is written as HTML, Markdown, CSV and Parquet."""
