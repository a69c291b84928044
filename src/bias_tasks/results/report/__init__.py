"""A page about finished runs, for people: one file, without scripts, that needs no network."""
