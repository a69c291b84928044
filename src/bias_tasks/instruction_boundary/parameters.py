"""The tasks of Instruction Boundary and their parameters."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.instruction_boundary.items import CHOICE_LABELS, FORMS, JUDGING_LABELS
from bias_tasks.parameters import Parameter, TaskSpec
from bias_tasks.protocols import PROTOCOLS

SUGGESTIONS = ("sparse", "tense", "rotate", "wrong", *JUDGING_LABELS, *CHOICE_LABELS)
EXAMPLES = ("sparse", "tense", "balanced")
POLISH = ("template", "live")
ALL_SETTINGS = "instruction_boundary"
"""Name of the run that asks every setting of the same items."""

FORM = Parameter(
    "form", "text", "all", "which kind of question: `judging`, `choice` or `all`", (*FORMS, "all")
)
DATA = Parameter(
    "data",
    "text",
    "paper",
    "`paper`, `synthetic`, or a file of your own items (JSONL, CSV, Parquet)",
)
SOURCES = Parameter(
    "sources", "names", None, "which of the paper's data sets (`bias-tasks data list` shows them)"
)
PROTOCOL = Parameter(
    "protocol",
    "text",
    "corrected",
    "`corrected`, or `published` to repeat the paper's instrument, quirks included",
    PROTOCOLS,
)
SEED = Parameter(
    "seed", "whole", 0, "seed of the order of items and of every draw", low=0, high=2**63 - 1
)
PAIRED = Parameter(
    "paired", "flag", True, "ask the vanilla question beside the setting's, to compare by pairs"
)
N = Parameter("n", "whole", None, "at most so many items, balanced over forms and labels", low=1)
ROUNDS = Parameter(
    "rounds",
    "whole",
    2,
    "multi_turn: rounds in all",
    low=2,
    high=10,
    inspect_only="each run of the harness is one round: leave `rounds` out, and give the samples "
    "of one run as `first_round` of the next",
)
SUGGEST = Parameter(
    "suggest",
    "text",
    "sparse",
    "conformity: what is suggested: `sparse` (the paper's), `tense`, `rotate`, `wrong`, or a label",
    SUGGESTIONS,
)
DISTRACTORS = Parameter(
    "distractors",
    "whole",
    9,
    "disturbing_miscellany: wrong options beside the right one",
    low=1,
    high=9,
)
EXAMPLE_LABELS = Parameter(
    "examples",
    "text",
    "sparse",
    "few_shot: labels of the examples: `sparse` (the paper's), `tense` or `balanced`",
    EXAMPLES,
)
SHOTS = Parameter("shots", "whole", 1, "few_shot: examples a label", low=1, high=20)
POLISHED = Parameter(
    "polish",
    "text",
    "template",
    "prompt_polishing: `template`, or `live`: rewritten by the model in the role `polisher`",
    POLISH,
    inspect_only="the prompt is polished by the template, a live rewrite needs Inspect's model "
    "roles: leave `polish` out",
)

FIRST_ROUND = Parameter(
    "first_round",
    "text",
    None,
    "multi_turn in the LM Evaluation Harness: samples of the round before, or their folder",
)

_ITEMS = (FORM, DATA, SOURCES, PROTOCOL, SEED)
_PAIRED = (*_ITEMS, PAIRED, N)

TASKS: Mapping[str, TaskSpec] = {
    spec.name: spec
    for spec in (
        TaskSpec(
            "vanilla",
            "Full, unbiased instructions: the baseline of the other settings.",
            (*_ITEMS, N),
        ),
        TaskSpec(
            "multi_turn",
            "The model sees its own answer and five reflection questions before it answers again.",
            (*_PAIRED, ROUNDS),
        ),
        TaskSpec(
            "conformity",
            "The prompt suggests an answer: the share that adopts it, and right answers given up.",
            (*_PAIRED, SUGGEST),
        ),
        TaskSpec(
            "disturbing_miscellany",
            "One right option among wrong ones; its vanilla twin shows a single wrong one.",
            (*_PAIRED, DISTRACTORS),
        ),
        TaskSpec(
            "few_shot",
            "Worked examples with chosen labels stand before the question.",
            (*_PAIRED, EXAMPLE_LABELS, SHOTS),
        ),
        TaskSpec(
            "missing_choices", "The option that covers the sparse label is left out.", _PAIRED
        ),
        TaskSpec("vagueness", "Bare options: no task, no guidance.", _PAIRED),
        TaskSpec(
            "prompt_polishing",
            'The prompt polished "to improve understanding", by template or live by a model.',
            (*_PAIRED, POLISHED),
        ),
        TaskSpec(
            ALL_SETTINGS,
            "Vanilla once and every setting, on the same items.",
            (*_ITEMS, N, ROUNDS, SUGGEST, DISTRACTORS, EXAMPLE_LABELS, SHOTS, POLISHED),
        ),
    )
}
