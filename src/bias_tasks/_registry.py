"""Entry point of Inspect: importing this module registers everything the package brings."""

from bias_tasks.respondents.provider_name import simulated
from bias_tasks.scorers.format_gated import format_gated, gated_figures
from bias_tasks.scorers.outcome import figures, headline, outcome
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.by_variant import by_variant
from bias_tasks.solvers.compare_with_other import compare_with_other
from bias_tasks.solvers.formats import demonstrate, format_instruction
from bias_tasks.solvers.polish import polish
from bias_tasks.solvers.reflect import reflect
from bias_tasks.solvers.replay import replay
from bias_tasks.solvers.settings import distract, few_shot, omit_option, terse
from bias_tasks.solvers.suggest import suggest
from bias_tasks.tasks import (
    binary_qa,
    complex_eval,
    instruction_boundary,
    judging,
    output_format,
    probing,
)
