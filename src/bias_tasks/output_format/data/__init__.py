"""Data of the output format family: questions that are asked in several formats."""
