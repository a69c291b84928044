"""Finished runs with all their answers in one Parquet file, and what is read of it."""
