"""The level of all intervals."""

QUANTILE = 0.975
"""Of the two-sided 95 % intervals."""
Z = 1.959963984540054
"""The normal distribution's `QUANTILE`; a number, for the harness's tables need no scipy."""
