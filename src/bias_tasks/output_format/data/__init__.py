"""Data of the output format family: items that are prompted in several formats."""
