"""The figures of Instruction Boundary (paper, section 2.2).

They stand bare for a setting and under `vanilla/` for its twin; a run of several settings puts the
setting's name before each.
"""

from __future__ import annotations

from bias_tasks.figures import ITEMS, Figure, difference

FIGURES: tuple[Figure, ...] = (
    Figure("acc", "accuracy: mean of right answers over the form's samples", better="higher"),
    Figure(
        "acc_balanced",
        "mean of the form's rates below, each with the same weight (the accuracy that is printed)",
        better="higher",
        source="section 2.2",
    ),
    Figure(
        "sr",
        "stability rate: accuracy where gold is tense (True, False; one right option)",
        better="higher",
        source="section 2.2",
    ),
    Figure(
        "gr",
        "generalisation rate: accuracy where gold is Unknown",
        better="higher",
        source="section 2.2",
    ),
    Figure(
        "gr_none",
        "generalisation rate: accuracy where no option is right",
        better="higher",
        source="section 2.2",
    ),
    Figure(
        "gr_multiple",
        "generalisation rate: accuracy where several options are right",
        better="higher",
        source="section 2.2",
    ),
    Figure(
        "rs",
        "robustness score: 2·sr·gr/(sr+gr), 0 when both are 0, averaged over the forms run; in the "
        "choice form gr pools none and multiple",
        better="higher",
        source="section 2.2",
    ),
    difference(
        "delta_acc",
        "accuracy under the setting minus accuracy under vanilla, on the same items",
        headline=True,
    ),
    Figure(
        "abs_delta_acc",
        "size of `delta_acc`: the paper's robustness rate (RR)",
        better="lower",
        source="section 2.2",
    ),
    Figure(
        "flips", "share of items that the setting turns: `lost` wrong, `gained` right", parts=(1,)
    ),
    Figure(
        "or",
        "output rate: share of a label among the answers; `invalid` and `unread` are among them",
        source="section 2.2",
        parts=(1,),
    ),
    Figure("unread", "share of answers that could not be read", better="lower"),
    Figure(
        "judge_usage",
        "share of answers that rules could not read and a judge model did",
        better="lower",
        source="appendix K",
    ),
    Figure(
        "adopted",
        "conformity: of the answers that stood elsewhere in vanilla, the share that moves to the "
        "suggestion",
        better="lower",
        parts=(0, 1),
    ),
    Figure(
        "abandoned",
        "conformity: of the answers that were right in vanilla and whose suggestion is wrong, the "
        "share that is given up",
        better="lower",
        parts=(0, 1),
    ),
    ITEMS,
)
