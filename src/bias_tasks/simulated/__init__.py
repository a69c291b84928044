"""Simulated models with planted traits, which answer without a network."""
