"""`bias-tasks attack`: attacked responses of a whole data set, by rule or by a model."""
