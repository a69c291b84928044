"""What a judge answered; knows no host. Scores are read as ComplexEval's are."""
