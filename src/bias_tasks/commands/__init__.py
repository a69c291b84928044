"""The commands of `bias-tasks` that make data, and what they share."""
