"""Asks a judge model about the answers of lm-eval runs that rules could not read."""
