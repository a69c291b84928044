"""Output formats (FormatEval): the effect of the requested format on a score."""
