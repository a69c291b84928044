"""How a question is asked in a format: the templates and the code that fills them in."""
