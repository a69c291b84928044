"""What the data of every family has in common: files that are pinned, fetched, read and ordered."""
