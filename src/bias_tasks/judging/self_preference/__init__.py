"""Whether a judge prefers its own answers more than other judges do."""
