"""Solvers for Inspect: each builds prompts and calls the model."""
