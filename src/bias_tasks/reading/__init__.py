"""What several families' readers of answers have in common."""
