"""Entry point of Inspect: importing this module registers everything the package brings."""

from bias_tasks.respondents.provider import simulated
from bias_tasks.scorers.format_gated import format_gated, gated_figures
from bias_tasks.scorers.outcome import figures, outcome
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.by_variant import by_variant
from bias_tasks.solvers.formats import demonstrate, format_instruction
from bias_tasks.solvers.polish import polish
from bias_tasks.solvers.reflect import reflect
from bias_tasks.solvers.replay import replay
from bias_tasks.solvers.settings import distract, omit_option, terse
from bias_tasks.solvers.settings import few_shot as few_shot_solver
from bias_tasks.solvers.suggest import suggest
from bias_tasks.tasks.binary_qa import (
    binaryqa,
    binaryqa_arc,
    binaryqa_nrc,
    binaryqa_prc,
    binaryqa_qa,
    binaryqa_sc,
)
from bias_tasks.tasks.complex_eval import (
    complexeval_attention_limit,
    complexeval_basic,
    complexeval_math,
    complexeval_role_playing,
    complexeval_writing,
)
from bias_tasks.tasks.instruction_boundary import (
    conformity,
    disturbing_miscellany,
    few_shot,
    instruction_boundary,
    missing_choices,
    multi_turn,
    prompt_polishing,
    vagueness,
    vanilla,
)
from bias_tasks.tasks.output_format import (
    format_bias,
    format_list,
    format_mapping,
    format_mcq,
    format_wrapping,
)
