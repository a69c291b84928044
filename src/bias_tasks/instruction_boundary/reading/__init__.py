"""Reading model answers: what was answered, how that was read, and where in the text."""
