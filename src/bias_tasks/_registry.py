"""Entry point of Inspect: importing this module registers everything the package brings."""

from bias_tasks import (
    binary_qa_tasks,
    complex_eval_tasks,
    grader_cases_tasks,
    instruction_boundary_tasks,
    judge_bias_tasks,
    output_format_tasks,
    probing_tasks,
    written_texts_tasks,
)
from bias_tasks.scorers.any_task import label_metrics, label_rates, reformulation_consistency
from bias_tasks.scorers.format_gated import format_gated, gated_metrics
from bias_tasks.scorers.grader_agreement import grader_agreement
from bias_tasks.scorers.outcome import outcome
from bias_tasks.scorers.run_metrics import all_metrics, headline
from bias_tasks.scorers.valid_texts import valid_texts
from bias_tasks.simulated.inspect_model import simulated
from bias_tasks.solvers.any_task import polish, suggest, terse, with_setting
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.compare_with_other import compare_with_other
from bias_tasks.solvers.follow_up import follow_up, push_back, reflect
from bias_tasks.solvers.format_instruction import format_instruction
from bias_tasks.solvers.structured import structured
from bias_tasks.solvers.until_valid import until_valid
