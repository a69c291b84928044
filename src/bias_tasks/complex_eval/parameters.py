"""The tasks of ComplexEval and their parameters."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.complex_eval.items import BIASES, Family
from bias_tasks.parameters import Parameter, TaskSpec, with_default
from bias_tasks.protocols import PROTOCOLS

DATA = Parameter(
    "data",
    "text",
    "paper",
    "`paper`, `synthetic`, or a file: an attacked dataset (`bias-tasks attack`) or your own items "
    "(JSONL, CSV, Parquet); where no item brings attacked responses, they are made by rule",
)
AUX = Parameter(
    "aux",
    "names",
    None,
    "what the judge is given beside, of `none`, `reference` and `rubric`; all by default",
)
ATTACK = Parameter(
    "attack",
    "names",
    None,
    "which rejected responses, of `none` (as it is), `reference` and `rubric` (attacked toward "
    "that); all by default",
)
BIAS = Parameter("bias", "names", None, "which attacks; all of these by default: ")
DOMAINS = Parameter("domains", "names", None, "which domains, where not all")
SOURCES = Parameter(
    "sources",
    "names",
    None,
    "names of the data sets, where not all of the paper's (`bias-tasks data list`)",
)
RESPONSES = Parameter(
    "responses",
    "text",
    None,
    'with `data="paper"`, a file of rows `{id, response, reference?}` for requests that have no '
    "response of their own",
)
THETA = Parameter(
    "theta", "number", 0.5, "differences of scores up to it are ties", low=0, for_figures=True
)
BETA = Parameter(
    "beta",
    "number",
    10.0,
    "points by which the score must rise for an attack to win",
    low=0,
    open_ends=True,
    for_figures=True,
)
MODE = Parameter(
    "mode",
    "names",
    "joint",
    "`joint` for all dimensions in one call, `per_dimension` for a call each, or both",
)
PLANTED = Parameter(
    "k", "whole_list", None, "how many flaws to plant, 0 to 20; every number of them by default"
)
PROTOCOL = Parameter(
    "protocol",
    "text",
    "corrected",
    "`corrected`, or `published` to keep attacks that fail the mechanical check",
    PROTOCOLS,
)
SEED = Parameter(
    "seed", "whole", 0, "seed of the order of items, of attacks by rule, and of synthetic items"
)
N = Parameter("n", "whole", None, "at most so many items, domains taking turns", low=1)

JUDGED: Mapping[str, Family] = {
    "complexeval_basic": "basic",
    "complexeval_math": "math",
    "complexeval_role_playing": "role_playing",
    "complexeval_writing": "creative_writing",
}
"""What each task has judged; the attention limit has dialogues of its own."""
ATTENTION = "complexeval_attention_limit"


def _attacked(name: str, summary: str, *own: Parameter) -> TaskSpec:
    """A task on single responses, which are attacked in the ways of their kind."""
    biases = ", ".join(BIASES[JUDGED[name]])
    bias = with_default(BIAS, None, f"{BIAS.meaning}{biases}")
    parameters = (DATA, bias, DOMAINS, SOURCES, RESPONSES, *own, PROTOCOL, SEED, N)
    return TaskSpec(name, summary, parameters)


TASKS: Mapping[str, TaskSpec] = {
    spec.name: spec
    for spec in (
        TaskSpec(
            "complexeval_basic",
            "Preference pairs: each response judged once under each auxiliary condition.",
            (DATA, AUX, ATTACK, DOMAINS, SOURCES, THETA, PROTOCOL, SEED, N),
        ),
        _attacked(
            "complexeval_math",
            "Solutions with a wrong step: is it still located once the solution is attacked?",
        ),
        _attacked(
            "complexeval_role_playing",
            "Dialogues, scored 0 to 100 by deductions: do attacks raise the score?",
            BETA,
        ),
        _attacked(
            "complexeval_writing",
            "Stories, scored 1 to 10 by criterion: do attacks raise the score?",
            with_default(BETA, 0.5),
        ),
        TaskSpec(
            ATTENTION,
            "Flaws found against flaws planted, in generated dialogues with up to twenty of them.",
            (
                MODE,
                PLANTED,
                with_default(
                    PROTOCOL,
                    "corrected",
                    "`corrected` or `published`; there is no difference between them here",
                ),
                with_default(SEED, 0, "seed of the dialogues"),
                with_default(
                    N, 10, "dialogues, each of which is judged with every number of flaws"
                ),
            ),
        ),
    )
}
