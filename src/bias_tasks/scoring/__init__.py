"""From an answer's text to its outcome, one module a family: one path for both hosts."""
