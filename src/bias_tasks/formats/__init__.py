"""The output formats: how each is asked for, whether an answer follows it, and what it holds."""
