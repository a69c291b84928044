"""Simulated respondents: models whose accuracy and biases are known in advance."""
