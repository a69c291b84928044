"""The tasks of binary question answering and their parameters."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.binary_qa.items import ORDERS, VARIANTS, Variant
from bias_tasks.parameters import Parameter, TaskSpec
from bias_tasks.protocols import PROTOCOLS

REFORMULATE = ("given", "grammar", "skip")

DOMAINS = Parameter(
    "domains",
    "names",
    None,
    "which domains, where not all: reading, multi_hop, numerical, translation, ethics for the "
    "paper's data",
)
DATA = Parameter(
    "data",
    "text",
    "paper",
    "`paper`, `synthetic`, or a file of your own questions (JSONL, CSV, Parquet)",
)
SOURCES = Parameter(
    "sources",
    "names",
    None,
    "names of the sources, where not the paper's (`bias-tasks data list`)",
)
ORDER = Parameter(
    "order",
    "text",
    "yes_no",
    "`yes_no` or `no_yes`, the order in which the answers are printed",
    ORDERS,
)
REWORDED = Parameter(
    "reformulate",
    "text",
    None,
    "where rewordings come from: `given` (those in your file alone: its default), `grammar` (made "
    "where missing, and an error where it can't: the default for the paper's data), or `skip` "
    "(questions that the grammar can't reword are passed over)",
    REFORMULATE,
)
PROTOCOL = Parameter(
    "protocol",
    "text",
    "corrected",
    "`corrected`, or `published` to compare unread answers like any other",
    PROTOCOLS,
    for_figures=True,
)
SEED = Parameter("seed", "whole", 0, "seed of the order of questions, and of synthetic ones")
N = Parameter(
    "n", "whole", None, "at most so many questions, balanced over domains and labels", low=1
)
WEIGHTS = Parameter(
    "weights",
    "weights",
    None,
    "weights of the core metrics in `mbs`, where not the paper's, such as "
    '`{"f1": 0.5, "prc": 0.5}`',
    for_figures=True,
)

_PLAIN = (DOMAINS, DATA, SOURCES, ORDER, PROTOCOL, SEED, N)
_REWORDING = (DOMAINS, DATA, SOURCES, ORDER, REWORDED, PROTOCOL, SEED, N)

TASKS: Mapping[str, TaskSpec] = {
    spec.name: spec
    for spec in (
        TaskSpec(
            "binaryqa",
            "The whole scorecard: every question in its eight variants, each asked once.",
            (*_REWORDING, WEIGHTS),
        ),
        TaskSpec(
            "binaryqa_prc",
            "Positive reformulation consistency: two rewordings of the same meaning (eq. 1).",
            _REWORDING,
        ),
        TaskSpec(
            "binaryqa_nrc",
            "Negative reformulation consistency: two rewordings of opposite meaning (eq. 3).",
            _REWORDING,
        ),
        TaskSpec(
            "binaryqa_arc",
            "Answer reformulation consistency: the answers printed in the other order.",
            _PLAIN,
        ),
        TaskSpec(
            "binaryqa_sc",
            "Self-consistency: the same question three times, never answered from a cache.",
            _PLAIN,
        ),
        TaskSpec("binaryqa_qa", "The original questions alone: performance and bias.", _PLAIN),
    )
}
ASKED: Mapping[str, tuple[Variant, ...]] = {
    "binaryqa": VARIANTS,
    "binaryqa_prc": ("original", "synonym", "polite"),
    "binaryqa_nrc": ("original", "contradictory", "false"),
    "binaryqa_arc": ("original", "reversed"),
    "binaryqa_sc": ("original", "repeat_2", "repeat_3"),
    "binaryqa_qa": ("original",),
}
"""The variants that each task asks of every question."""
