"""Parameters of the task `probe`: type, range and meaning.

The defaults are those of the task functions in `bias_tasks.probing_tasks`.
"""

from typing import Annotated, Literal

from bias_tasks.contract.parameters import Details

TaskName = Annotated[
    str | None,
    "task to probe: a registered name such as `inspect_evals/mmlu_0_shot`, or `file.py@name`",
]

Probes = Annotated[
    str | list[str] | None,
    "probes to run, or stacks such as `typo+persona`; by default all probes that apply",
    Details(
        values=(
            "order",
            "labels",
            "separator",
            "casing",
            "paraphrase",
            "language",
            "typo",
            "system",
            "persona",
            "suggest",
            "few_shot",
            "distract",
            "instruction",
            "polish",
            "reflect",
            "pushback",
            "format",
        ),
        stackable=True,
    ),
]

Formats = Annotated[
    str | list[str] | None, "output formats from which the probe `format` draws; by default all"
]

Instructions = Annotated[
    str | None, "text file with one instruction per line, from which `instruction` draws"
]

Repeats = Annotated[
    int, "repeats of each baseline prompt, to measure sampling noise", Details(low=1, high=50)
]

MaxItems = Annotated[
    int | Literal["all"], "maximum number of items, drawn by the seed", Details(low=1)
]

Seed = Annotated[int, "seed of all random draws of items and probes"]

Rewordings = Annotated[
    str | None, "`.jsonl` file from the task `make_rewordings`, for `paraphrase` and `language`"
]
