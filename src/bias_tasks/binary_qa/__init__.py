"""Binary question answering: accuracy, bias and consistency of yes/no answers."""
