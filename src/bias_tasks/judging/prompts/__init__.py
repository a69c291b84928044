"""What a judge is asked; knows no host."""
