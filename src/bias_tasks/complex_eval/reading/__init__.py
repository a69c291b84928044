"""How a judge's answer is read: scores, scores by criterion, flaws, positions of wrong steps."""
