"""The figures of output formats (FormatEval, sections 3 and 4).

A run over several categories names those that compare formats by category (`wrapping/bias_f`), and
a run over several data sets begins every name with its data set (`gsm8k/fi/bolding`).
"""

from __future__ import annotations

import math

from bias_tasks.figures import ITEMS, Figure, count, difference

_PERCENT_SQUARED = 10_000.0
"""No variance of shares, in percent squared, is larger."""

FIGURES: tuple[Figure, ...] = (
    Figure(
        "fi",
        "format instruction following: share of answers that follow the format",
        better="higher",
        source="equation 1",
        parts=(0, 1),
    ),
    Figure(
        "sys",
        "systematic score: the sum of task scores over all answers, divided by all",
        better="higher",
        source="section 3.1",
        parts=(0, 1),
    ),
    Figure(
        "est_true",
        "estimated true score: sys / fi, the mean task score of the answers that follow",
        better="higher",
        source="section 3.1",
        parts=(0, 1),
    ),
    Figure(
        "reliable",
        "whether est_true is within the margin of error",
        unit="verdict",
        better="higher",
        source="theorem 3.1",
        parts=(0, 1),
    ),
    Figure("needed_fi", "the fi at which est_true would be reliable", parts=(0, 1)),
    Figure(
        "bias_f",
        "population variance of est_true over the formats",
        unit="percent squared",
        high=_PERCENT_SQUARED,
        better="lower",
        source="section 3.2",
    ),
    Figure(
        "bias_f_corrected",
        "bias_f less what sampling errors add to it: right on average, and below 0 at times",
        unit="percent squared",
        low=-_PERCENT_SQUARED,
        high=_PERCENT_SQUARED,
        better="lower",
        headline=True,
    ),
    Figure(
        "bias_f_noise",
        "what sampling errors alone add to bias_f",
        unit="percent squared",
        high=math.inf,
    ),
    Figure(
        "fi_var",
        "population variance of fi over the formats",
        unit="percent squared",
        high=_PERCENT_SQUARED,
        better="lower",
        source="section 3.2",
    ),
    difference(
        "difference",
        "est_true of one format less that of another on the same items",
        parts=(1,),
    ),
    count("formats_compared", "formats in bias_f"),
    count("left_out", "formats left out of bias_f because no answer follows them"),
    ITEMS,
)
