"""Attacks on judges that need no model, and what every attack must have kept (ComplexEval)."""
