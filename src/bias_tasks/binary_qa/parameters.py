"""Parameters of the tasks of binary question answering: type, range and meaning.

The defaults are those of the task functions in `bias_tasks.binary_qa_tasks`.
"""

from typing import Annotated, Literal

from bias_tasks.contract.parameters import Details

Domains = Annotated[str | list[str] | None, "domains to use, by default all"]

Data = Annotated[
    str,
    "`core`, `paper` (the paper's data sets, without rewordings), `synthetic` (repeated core "
    "questions), `generated` (new questions for each `seed`), `hard` (half generated, half "
    "core above level 1), or the path of your own file",
]

Level = Annotated[
    int | None,
    "difficulty of questions with `data=generated`, by default 4",
    Details(low=1, high=8),
]

Sources = Annotated[
    str | list[str] | None, "data sets to use with `data=paper`, by name (`bias-tasks data list`)"
]

AnswerOrder = Annotated[Literal["yes_no", "no_yes"], "order of the answers in the prompt"]

Reformulate = Annotated[
    Literal["existing", "skip", "live"],
    "`existing` uses the rewordings in the data; `skip` excludes questions that lack one; `live` "
    "(only in Inspect) lets the model in the role `reformulator` write them during the run",
]

AffirmativeFirst = Annotated[
    bool,
    "mitigation: prompts with a negative rewording first ask for the affirmative form of the "
    "question and its answer",
]

FullShare = Annotated[
    float,
    "share of the questions asked in all eight variants of `binaryqa`, to report `mbs` as well",
    Details(low=0, high=1),
]

Protocol = Annotated[
    Literal["corrected", "published"],
    "`published` compares unparsed answers like any other, and rejects sources and mitigations "
    "that are not the paper's",
    Details(affects_metrics=True),
]

Seed = Annotated[int, "seed of the order of questions"]

MaxItems = Annotated[
    int | Literal["all"] | None,
    "maximum number of questions, balanced over domains and labels; by default all, but 300 for "
    "`binaryqa` with `data=paper`",
    Details(low=1),
]

Weights = Annotated[
    dict[str, float] | None,
    'weights of the core metrics in `mbs`, such as `{"f1": 0.5, "prc": 0.5}`; by default as in the '
    "paper",
    Details(affects_metrics=True),
]

BaseModel = Annotated[
    bool,
    "for base models: prompts end with `Answer:`, and answers end before another question or a "
    "blank line",
]
