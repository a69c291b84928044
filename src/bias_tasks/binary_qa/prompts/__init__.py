"""How yes/no questions are put: the paper's templates and the code that fills them in."""
