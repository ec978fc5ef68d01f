"""A document as data, and its renderings as HTML and Markdown."""
