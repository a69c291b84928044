"""How questions are put: the papers' templates and the code that fills them in. Knows no host."""
