"""Probes of any benchmark: its items with the baseline prompt, repeated and perturbed."""
