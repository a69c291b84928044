"""Compares finished runs on the same items, metric by metric."""
