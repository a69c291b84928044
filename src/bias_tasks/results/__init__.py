"""Reads, compares, reports and exports the finished runs of both frameworks."""
