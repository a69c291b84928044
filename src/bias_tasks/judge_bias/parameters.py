"""Parameters of the tasks with judges: type, range and meaning.

The defaults are those of the task functions in `bias_tasks.judge_bias_tasks`.
"""

from typing import Annotated, Literal

from bias_tasks.contract.parameters import Details

Data = Annotated[
    str,
    "`core`, `synthetic` (repeated core pairs), the path of your file, or benchmarks (`bias-tasks "
    "data list`), comma-separated",
]

PairProbes = Annotated[
    str | list[str] | None,
    "probes to run; by default all but the controls",
    Details(
        values=(
            "position",
            "verbosity",
            "formatting",
            "authority",
            "verbosity_control",
            "formatting_control",
            "authority_control",
        )
    ),
]

Pairs = Annotated[
    Literal["clear", "near", "all"],
    "pairs of the core set: `clear`, `near` ([near ties](#near-ties)) or `all`",
]

Repeats = Annotated[
    int,
    "repeats of each baseline prompt, to measure sampling noise",
    Details(low=1, high=50),
]

Template = Annotated[
    str | None,
    "text file with your own judge prompt; it contains `{prompt}`, `{response_a}` and "
    "`{response_b}` (`judge_single`: `{response}`, and a request for a score from 1 to 10), and "
    "optionally `{mark}` (ten hex digits absent from the texts)",
]

Protocol = Annotated[Literal["corrected"], "always `corrected`"]

Seed = Annotated[
    int, "seed of the order of items, of the order of responses, and of the phrases of each probe"
]

MaxItems = Annotated[int | Literal["all"], "maximum number of items", Details(low=1)]

SingleProbes = Annotated[
    str | list[str] | None,
    "probes to run; by default all but the controls",
    Details(
        values=(
            "verbosity",
            "formatting",
            "authority",
            "verbosity_control",
            "formatting_control",
            "authority_control",
        )
    ),
]


PromptData = Annotated[
    str,
    "source of the prompts, as for the other tasks, or the path of your file with rows `{id?, "
    "prompt, own_answer?, other_answer?}`; recorded answers replace calls to the models",
]
