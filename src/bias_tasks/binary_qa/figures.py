"""The figures of binary question answering (paper, sections 2.3 and 2.4).

Over one domain they stand under the domain's name: `reading/f1`.
"""

from __future__ import annotations

from bias_tasks.figures import ITEMS, Figure, count, difference

FIGURES: tuple[Figure, ...] = (
    Figure(
        "mbs",
        "Model Binary Score: performance, bias and consistency weighed together, best at 100",
        unit="score",
        high=100.0,
        better="higher",
        source="section 2.4",
        headline=True,
    ),
    Figure(
        "f1",
        "F1 of the two classes on the originals, weighted by their support",
        better="higher",
        source="section 2.3",
    ),
    difference(
        "delta_recall",
        "recall of No minus that of Yes, on the originals: above 0 the model leans to No",
        source="section 2.3",
    ),
    difference(
        "delta_precision",
        "precision of No minus that of Yes, on the originals: above 0 the model leans to Yes",
        source="section 2.3",
    ),
    Figure(
        "prc",
        "share of questions whose two positive rewordings both get the original's answer",
        better="higher",
        source="equation 1",
    ),
    Figure(
        "nrc",
        "share of questions whose two negative rewordings both get the opposite answer",
        better="higher",
        source="equation 3",
    ),
    Figure(
        "arc",
        "share of questions whose answer stays the same with the answers in the other order",
        better="higher",
        source="section 2.3",
    ),
    Figure(
        "sc",
        "share of questions whose three identical prompts get the same answer",
        better="higher",
        source="section 2.3",
    ),
    Figure("yes_rate", "share of Yes among the answers to the originals"),
    Figure(
        "acc",
        "share of right answers under a variant: consistency says nothing about being right",
        better="higher",
        parts=(1,),
    ),
    Figure("unread", "share of answers that are neither Yes nor No", better="lower"),
    Figure(
        "std",
        "population standard deviation of a core metric over the domains",
        better="lower",
        source="section 2.4",
        parts=(1,),
    ),
    count("domains", "domains that the result is over"),
    ITEMS,
)
