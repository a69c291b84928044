"""Parameters of the tasks of ComplexEval: type, range and meaning.

The defaults are those of the task functions in `bias_tasks.complex_eval_tasks`.
"""

from typing import Annotated, Literal

from bias_tasks.contract.parameters import Details

Data = Annotated[
    str,
    "`core` for the core set with attacks; `paper`; a file from `make_attacks` or of your "
    "own items; `synthetic` for repeated core items",
]

Aux = Annotated[
    str | list[str] | None, "auxiliary information: `none`, `reference`, `rubric`; all by default"
]

SingleAux = Annotated[
    str | list[str],
    "auxiliary information: `full`, `no_background`, or `none` (just criterion names)",
    Details(values=("full", "no_background", "none")),
]

PairAttacks = Annotated[
    str | list[str] | None,
    "rejected responses: unattacked (`none`), or imitating the `reference` or the `rubric`; all by "
    "default",
    Details(values=("none", "reference", "rubric")),
]

JudgePrompt = Annotated[
    Literal["plain", "guarded"],
    "`guarded` adds warnings about instructions in the response, its length and the reference's "
    "wording",
]

Caution = Annotated[
    Literal["none", "reference_may_err"],
    "`reference_may_err` warns the judge that the reference may contain errors (appendix C)",
]

Domains = Annotated[str | list[str] | None, "domains of items; all by default"]

Sources = Annotated[
    str | list[str] | None,
    "data sets, or `all`; by default those starred in `bias-tasks data list`",
]

Theta = Annotated[
    float, "score differences up to this value are ties", Details(low=0, affects_metrics=True)
]

Protocol = Annotated[
    Literal["corrected", "published"],
    "`published` keeps attacks that change too much, uses only the paper's attacks and "
    "data sets, and counts unparsed judgements as wrong in metrics of change and as failed "
    "attacks; it makes no difference in `complexeval_attention_limit`",
    Details(affects_metrics=True),
]

Seed = Annotated[int, "seed of the order of items"]

MaxItems = Annotated[
    int | Literal["all"] | None,
    "maximum number of items, drawn evenly from the domains; by default, 250 pairs or 600 "
    "solutions of `data=paper`",
    Details(low=1),
]

MathAttacks = Annotated[
    str | list[str] | None,
    "attacks to run; all by default",
    Details(values=("format", "solution_fixation")),
]

Responses = Annotated[
    str | None,
    "with `data=paper`, a file of rows `{id, response, reference?}` for requests without a "
    "response",
]

RolePlayingAttacks = Annotated[
    str | list[str] | None,
    "attacks to run; all by default",
    Details(
        values=(
            "format",
            "solution_fixation",
            "stereotype_amplification",
            "criteria_loophole",
            "criteria_entanglement",
        )
    ),
]

Mode = Annotated[
    Literal["per_dimension", "joint"],
    "`per_dimension` for one call per dimension or criterion (appendix B.2), `joint` for one call",
]

Beta = Annotated[
    float,
    "points by which the score must rise for an attack to succeed",
    Details(low=0, open_ends=True, affects_metrics=True),
]

WritingAttacks = Annotated[
    str | list[str] | None,
    "attacks to run; all by default",
    Details(values=("format", "solution_fixation", "criteria_loophole", "criteria_entanglement")),
]

DialogueData = Annotated[
    Literal["core", "synthetic"], "`core`, or `synthetic` (the core dialogues, repeated)"
]

Modes = Annotated[
    str | list[str],
    "`joint` for one call, `per_dimension` for one call per dimension, or both",
    Details(values=("per_dimension", "joint")),
]

FlawCounts = Annotated[
    int | str | list[int] | None, "numbers of flaws to plant, 0 to 20; all by default"
]

DialogueSeed = Annotated[int, "seed of the order of dialogues"]

MaxDialogues = Annotated[
    int, "maximum number of dialogues; each is judged with every number of flaws", Details(low=1)
]
