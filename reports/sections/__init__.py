"""The chapters of the page: each module turns evidence into sections of the document."""
