"""What judges and attackers are asked: the templates and the code that fills them in."""
