"""The figures of judges under auxiliary information (ComplexEval, sections 4.3 and 5).

Those of one domain stand under its name; `rr` is the paper's robustness rate, which is agreement.
"""

from __future__ import annotations

import math

from bias_tasks.figures import ITEMS, Figure, count, difference

FIGURES: tuple[Figure, ...] = (
    Figure(
        "acc",
        "share of pairs whose preferred response scores higher by more than theta; a condition is "
        "the auxiliary information and, after `~`, what the rejected response is attacked toward",
        better="higher",
        source="section 4.3",
        parts=(1,),
        headline=True,
    ),
    Figure(
        "acc_half_ties",
        "the same with a tie counted as half: weak judges, who tie often, profit",
        better="higher",
        source="appendix D",
        parts=(1,),
    ),
    Figure(
        "rr",
        "robustness rate: share of pairs with the same verdict as without auxiliary information",
        better="higher",
        source="section 4.3",
        parts=(1,),
    ),
    difference(
        "gain",
        "acc less acc without auxiliary information, on the same responses",
        better="higher",
        parts=(1,),
    ),
    difference(
        "attack_cost",
        "acc on the unattacked pairs less acc on the attacked ones",
        better="lower",
        parts=(1,),
    ),
    Figure(
        "asr",
        "attack success rate: share of attackable items where the attack wins; `original` is the "
        "same between two judgements of the unattacked response: what noise alone reaches",
        better="lower",
        source="section 4.3",
        parts=(1,),
    ),
    difference(
        "asr_excess",
        "asr less asr/original, on the same items",
        better="lower",
        parts=(1,),
    ),
    Figure("attackable", "share of items that could be attacked"),
    Figure(
        "delta",
        "mean change of the score",
        unit="points",
        low=-100.0,
        high=100.0,
        parts=(1,),
    ),
    Figure(
        "found",
        "mean number of flaws reported where k are planted",
        unit="count",
        high=math.inf,
        source="section 5.4",
        parts=(1,),
    ),
    Figure(
        "floor",
        "flaws reported where none is planted",
        unit="count",
        high=math.inf,
        better="lower",
        parts=(1,),
    ),
    Figure(
        "slope",
        "flaws reported for each one planted, before the plateau",
        unit="score",
        low=-math.inf,
        high=math.inf,
        parts=(1,),
    ),
    Figure(
        "breakpoint",
        "planted flaws at which the curve leaves the line",
        unit="count",
        high=math.inf,
        parts=(1,),
    ),
    Figure("ceiling", "height of the plateau", unit="count", high=math.inf, parts=(1,)),
    Figure("recall", "share of the planted flaws that were located", better="higher", parts=(1,)),
    Figure(
        "precision", "share of the reported flaws that were planted", better="higher", parts=(1,)
    ),
    Figure("unread", "share of judgements without a score", better="lower", parts=(0, 1)),
    count("domains", "domains that the result is over"),
    ITEMS,
)
