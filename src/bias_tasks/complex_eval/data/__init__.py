"""What judges are asked to judge: the paper's sources, generated items, and the user's own."""
