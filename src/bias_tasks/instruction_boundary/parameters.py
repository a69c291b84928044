"""Parameters of the tasks of Instruction Boundary: type, range and meaning.

The defaults are those of the task functions in `bias_tasks.instruction_boundary_tasks`.
"""

from typing import Annotated, Literal

from bias_tasks.contract.parameters import Details

Form = Annotated[Literal["judging", "choice", "all"], "form of the questions; `all` for both forms"]

Data = Annotated[
    str,
    "`paper`, `core`, `synthetic`, `generated` (new items for each `seed`), `hard` (half "
    "generated, half core above level 1), or your own file",
]

Level = Annotated[
    int | None,
    "difficulty of items with `data=generated`, by default 4",
    Details(low=1, high=8),
]

Sources = Annotated[
    str | list[str] | None, "names of the paper's data sets, as in `bias-tasks data list`"
]

Protocol = Annotated[
    Literal["corrected", "published"],
    "`published` uses the prompts and parsing of the authors' code, and counts unparsed answers as "
    "wrong in metrics of change",
    Details(affects_metrics=True),
]

Seed = Annotated[
    int,
    "seed of the order of items and of every random choice",
    Details(low=0, high=9223372036854775807),
]

MaxItems = Annotated[
    int | Literal["all"] | None,
    "maximum number of items, balanced over forms and labels; by default all, but with the paper's "
    "data, 800 in `multi_turn`, and 240 in `instruction_boundary` and `pushback`",
    Details(low=1),
]

BaseModel = Annotated[
    bool,
    "for base models: prompts end with `Answer:`, and answers end before another question or a "
    "blank line",
]

LabelModification = Annotated[
    bool,
    'vanilla: in half of the items, replace the correct option with "all other options are false" '
    "(A.3)",
]

Paired = Annotated[bool, "also run every item with the vanilla prompt, as a baseline"]

_ONE_ROUND = (
    "each run of the LM Evaluation Harness is one round: omit `rounds`, and give the samples of "
    "one run as `first_round` of the next"
)

Rounds = Annotated[
    int,
    "multi_turn: number of rounds, including the first",
    Details(low=2, high=10, inspect_only=_ONE_ROUND),
]

PushbackRounds = Annotated[
    int,
    "pushback: number of messages after the first answer",
    Details(low=1, high=5, inspect_only=_ONE_ROUND),
]

Kinds = Annotated[
    str | list[str],
    "pushback: what the user's message does; a neutral control is always included",
    Details(values=("doubt", "wrong", "right", "wrong_reason", "right_reason")),
]

Dialogue = Annotated[
    bool,
    "multi_turn: make each round a turn of one chat, instead of a message that quotes the last "
    "answer",
    Details(
        inspect_only=(
            "a dialogue needs Inspect, since each run of the LM Evaluation Harness is one "
            "round: omit `dialogue`"
        )
    ),
]

Suggest = Annotated[
    Literal[
        "sparse",
        "tense",
        "rotate",
        "wrong",
        "right",
        "both",
        "True",
        "False",
        "Unknown",
        "single",
        "multiple",
        "none",
    ],
    "conformity: suggest a rare label (`sparse`, as in the paper), a common one (`tense`), any "
    "(`rotate`), a wrong answer (`wrong`), the right one (`right`), these two in separate prompts "
    "(`both`), or an answer of the given label",
]

Suggestions = Annotated[
    int,
    "conformity: number of prompts with different wrong suggestions for each item, with "
    "`suggest=wrong` or `suggest=both`",
    Details(low=1, high=2),
]

Suggestion = Annotated[
    Literal["expert", "opinion"],
    "conformity: how the answer is suggested: as in the paper (`expert`), or as an unnamed "
    "person's `opinion`",
]

Distractors = Annotated[
    int | str | list[int],
    "disturbing_miscellany: number of wrong options, 1 to 9; for the choice form, also a list "
    "(`1,5,9`) or `all`",
]

ExampleLabels = Annotated[
    Literal[
        "sparse", "tense", "balanced", "True", "False", "Unknown", "single", "multiple", "none"
    ],
    "few_shot: labels of the examples: rare (`sparse`), common (`tense`), all (`balanced`), or "
    "one label",
]

Shots = Annotated[int, "few_shot: number of examples per label", Details(low=1, high=20)]

Polish = Annotated[
    Literal["template", "live"],
    "prompt_polishing: the paper's `template`, or a `live` rewrite by the model in the role "
    "`polisher`",
    Details(
        inspect_only=(
            "the LM Evaluation Harness polishes by the template, since a live rewrite needs "
            "Inspect's model roles: omit `polish`"
        )
    ),
]
