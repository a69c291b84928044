"""Output formats (FormatEval): how much of a score is the doing of the format asked for."""
