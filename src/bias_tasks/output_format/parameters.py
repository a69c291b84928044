"""Parameters of the tasks of output formats: type, range and meaning.

The defaults are those of the task functions in `bias_tasks.output_format_tasks`.
"""

from typing import Annotated, Literal

from bias_tasks.contract.parameters import Details

_OWN_DATA = "`core`; `synthetic` (repeated core items); or your own file"
"""The data that every task accepts besides the paper's."""
AnyData = Annotated[
    str | list[str],
    "`paper` (all of the paper's data sets for the task); one of them: mmlu, bbh (`format_mcq`, "
    "`format_wrapping`), gsm8k, hotpotqa, fairytaleqa (`format_wrapping`), scidocs, semeval2017 "
    "(`format_list`), scirex_easy, scirex_medium, scirex_hard (`format_mapping`); "
    f"{_OWN_DATA}",
]
StructuredData = Annotated[str | list[str], "as in `format_bias`"]
Modes = Annotated[
    str | list[str] | None,
    "names of modes to compare with `free`; by default all (lm-eval: `json`)",
]
Order = Annotated[
    Literal["drawn", "listed"],
    "order of labels and keys in a schema: drawn per item by `seed`, or as listed",
]
StructuredProtocol = Annotated[Literal["corrected"], "no paper measures this"]
Formats = Annotated[
    str | list[str] | None, "names of formats; by default all that support an item's answer"
]

Prompting = Annotated[
    str | list[str],
    "`zs` (zero-shot) or `zs_cot` (with step-by-step reasoning)",
    Details(values=("zs", "zs_cot")),
]

Repeat = Annotated[
    int, "number of copies of the format's instruction in the prompt (section 6)", Details(low=1)
]

Demos = Annotated[
    int, "number of solved examples in the format before each question (section 6)", Details(low=0)
]

DemosFrom = Annotated[
    str | None,
    "source of the examples: `core` for core items that the run does not evaluate (default if "
    "`data=core`), or a file",
]

Protocol = Annotated[
    Literal["corrected", "published", "paper_text"],
    "`published` for the prompts, parsing and scores of the authors' public code; `paper_text` "
    "for the same parsing and scores with the printed prompts",
    Details(affects_metrics=True),
]

Variant = Annotated[
    Literal["chatgpt", "mistral", "gemma"],
    "model whose script `protocol=published` follows; without one for the task, the first of "
    "chatgpt, mistral, gemma that has one",
]

Score = Annotated[
    Literal["exact", "paper"],
    "how numbers are scored: `exact` by value, or `paper` by token F1 (always with `published`)",
]

Moe = Annotated[
    float,
    "margin of error of `reliable`, a share",
    Details(low=0, high=1, open_ends=True, affects_metrics=True),
]

Alpha = Annotated[
    float,
    "1 minus the confidence level of `reliable`",
    Details(low=0, high=1, open_ends=True, affects_metrics=True),
]

Seed = Annotated[int, "seed of the order of items and candidates"]

MaxItems = Annotated[
    int | Literal["all"] | None,
    "maximum number of items per data set; with `data=paper`, the default is 250 "
    "(`format_bias`: 100)",
    Details(low=1),
]
