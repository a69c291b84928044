"""Data handling that all families share: pinned sources, files, tables and their order."""
