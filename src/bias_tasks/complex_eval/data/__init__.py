"""Items for judges: those of bias-core, of the paper's data sets, and of the user's files."""
