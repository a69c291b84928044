"""What generated items of several families have in common: chance, words, and choice questions."""
