"""Prompts of yes/no questions: the paper's templates and the code that fills them in."""
