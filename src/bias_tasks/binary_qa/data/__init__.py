"""Load yes/no questions: the core's, the paper's data sets, or a user's file."""
