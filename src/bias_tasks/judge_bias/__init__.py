"""Bias of models that judge responses: baseline questions, their repeats, and probes."""
