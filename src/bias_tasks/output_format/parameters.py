"""The tasks of output formats and their parameters."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.output_format.items import CATEGORIES, PROMPTINGS, Category
from bias_tasks.parameters import Parameter, TaskSpec, with_default
from bias_tasks.protocols import PROTOCOLS

COMPARED: Mapping[str, tuple[Category, ...]] = {
    "format_mcq": ("mcq",),
    "format_wrapping": ("wrapping",),
    "format_list": ("list",),
    "format_mapping": ("mapping",),
    "format_bias": CATEGORIES,
}
"""The categories of formats that each task asks for; a format is compared within its own."""
DATASETS: Mapping[Category, str] = {
    "mcq": "bbh",
    "wrapping": "gsm8k",
    "list": "semeval2017",
    "mapping": "scirex_medium",
}
"""What is asked in a category's formats unless `dataset=` says otherwise."""

_OWN = (
    "`synthetic` for generated items, or a file of your own (JSONL, CSV, Parquet); several as a "
    "list"
)

DATASET = Parameter(
    "dataset",
    "names",
    None,
    "one for each category where not given (bbh, gsm8k, semeval2017, scirex_medium); or mmlu, "
    f"hotpotqa, fairytaleqa, scidocs, scirex_easy, scirex_hard, {_OWN}",
)
FORMATS = Parameter(
    "formats", "names", None, "which formats, where not all that can hold an item's answer"
)
PROMPTING = Parameter(
    "prompting",
    "text",
    "zs",
    "`zs`, or `zs_cot` to have the model reason step by step",
    PROMPTINGS,
)
REPEAT = Parameter(
    "repeat",
    "whole",
    1,
    "how many times the format's instruction stands in the prompt (section 6)",
    low=1,
)
DEMOS = Parameter(
    "demos",
    "whole",
    0,
    "worked demonstrations in the asked format before each question (section 6)",
    low=0,
)
DEMOS_FROM = Parameter(
    "demos_from",
    "text",
    None,
    "where demonstrations come from: `synthetic`, or a file of your own questions that are not "
    "evaluated; synthetic items are demonstrated without it",
)
PROTOCOL = Parameter(
    "protocol",
    "text",
    "corrected",
    "`corrected`, or `published` to read and score as the paper did",
    PROTOCOLS,
    for_figures=True,
)
MOE = Parameter(
    "moe",
    "number",
    0.05,
    "margin of error within which `est_true` counts as reliable, a share",
    low=0,
    high=1,
    open_ends=True,
    for_figures=True,
)
ALPHA = Parameter(
    "alpha",
    "number",
    0.05,
    "one less the confidence of that verdict",
    low=0,
    high=1,
    open_ends=True,
    for_figures=True,
)
SEED = Parameter(
    "seed", "whole", 0, "seed of the order of items, of shuffled candidates, and of synthetic items"
)
N = Parameter("n", "whole", None, "at most so many items of each data set", low=1)


def _task(name: str, summary: str, datasets: str, formats: str) -> TaskSpec:
    """A task of one category, by the data sets and formats that it takes."""
    [category] = COMPARED[name]
    return TaskSpec(
        name,
        summary,
        (
            with_default(DATASET, DATASETS[category], f"{datasets}, {_OWN}"),
            with_default(FORMATS, None, f"which formats, where not all: {formats}"),
            *_COMMON,
        ),
    )


_COMMON = (PROMPTING, REPEAT, DEMOS, DEMOS_FROM, PROTOCOL, MOE, ALPHA, SEED, N)

TASKS: Mapping[str, TaskSpec] = {
    spec.name: spec
    for spec in (
        _task(
            "format_mcq",
            "The chosen option by its letter and by its text (section 5.1, appendix E.1).",
            "`bbh` or `mmlu`",
            "character, text",
        ),
        _task(
            "format_wrapping",
            "The final answer wrapped in seven ways (section 5.2, appendix E.2).",
            "`gsm8k`, `hotpotqa`, `fairytaleqa`, `bbh` or `mmlu`",
            "special_character, bolding, italicizing, brackets, parentheses, placeholder, quoting",
        ),
        _task(
            "format_list",
            "A list in four formats (section 5.3, appendix E.3).",
            "`semeval2017` (keyphrases) or `scidocs` (0 or 1 for each document)",
            "python, bullet, sep, newline",
        ),
        _task(
            "format_mapping",
            "Lists under keys, as JSON and as YAML (section 5.4, appendix E.4).",
            "`scirex_easy`, `scirex_medium` or `scirex_hard`",
            "json, yaml",
        ),
        TaskSpec(
            "format_bias",
            "Every category of formats, each compared on the items whose answers it can hold.",
            (DATASET, FORMATS, *_COMMON),
        ),
    )
}
