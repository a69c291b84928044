"""`bias-tasks format-search`: the best and the worst prompt format of a task, under a budget."""
