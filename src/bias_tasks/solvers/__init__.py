"""The settings as Inspect solvers: each puts its prompt and asks the model."""
