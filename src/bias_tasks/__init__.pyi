# What the package itself has; each is loaded on its first use, so that importing it loads no host.

__version__: str

from . import (
    plots as plots,
)
from .binary_qa_tasks import (
    binaryqa as binaryqa,
)
from .binary_qa_tasks import (
    binaryqa_arc as binaryqa_arc,
)
from .binary_qa_tasks import (
    binaryqa_nrc as binaryqa_nrc,
)
from .binary_qa_tasks import (
    binaryqa_prc as binaryqa_prc,
)
from .binary_qa_tasks import (
    binaryqa_qa as binaryqa_qa,
)
from .binary_qa_tasks import (
    binaryqa_sc as binaryqa_sc,
)
from .complex_eval_tasks import (
    complexeval_attention_limit as complexeval_attention_limit,
)
from .complex_eval_tasks import (
    complexeval_basic as complexeval_basic,
)
from .complex_eval_tasks import (
    complexeval_math as complexeval_math,
)
from .complex_eval_tasks import (
    complexeval_role_playing as complexeval_role_playing,
)
from .complex_eval_tasks import (
    complexeval_writing as complexeval_writing,
)
from .grader_cases_tasks import (
    grader_cases as grader_cases,
)
from .instruction_boundary_tasks import (
    conformity as conformity,
)
from .instruction_boundary_tasks import (
    disturbing_miscellany as disturbing_miscellany,
)
from .instruction_boundary_tasks import (
    few_shot as few_shot,
)
from .instruction_boundary_tasks import (
    missing_choices as missing_choices,
)
from .instruction_boundary_tasks import (
    multi_turn as multi_turn,
)
from .instruction_boundary_tasks import (
    prompt_polishing as prompt_polishing,
)
from .instruction_boundary_tasks import (
    pushback as pushback,
)
from .instruction_boundary_tasks import (
    self_reflection as self_reflection,
)
from .instruction_boundary_tasks import (
    vagueness as vagueness,
)
from .instruction_boundary_tasks import (
    vanilla as vanilla,
)
from .judge_bias_tasks import (
    judge_pairwise as judge_pairwise,
)
from .judge_bias_tasks import (
    judge_single as judge_single,
)
from .judge_bias_tasks import (
    self_preference as self_preference,
)
from .output_format_tasks import (
    format_bias as format_bias,
)
from .output_format_tasks import (
    format_list as format_list,
)
from .output_format_tasks import (
    format_mapping as format_mapping,
)
from .output_format_tasks import (
    format_mcq as format_mcq,
)
from .output_format_tasks import (
    format_structured as format_structured,
)
from .output_format_tasks import (
    format_wrapping as format_wrapping,
)
from .parsing.answer import (
    parse_answer as parse_answer,
)
from .probing_tasks import (
    probe as probe,
)
from .results.frames import (
    answer_distribution_df as answer_distribution_df,
)
from .results.frames import (
    outcomes_df as outcomes_df,
)
from .results.frames import (
    results_df as results_df,
)
from .scorers.any_task import (
    label_rates as label_rates,
)
from .scorers.any_task import (
    reformulation_consistency as reformulation_consistency,
)
from .scorers.format_gated import (
    format_gated as format_gated,
)
from .scorers.grader_agreement import (
    grader_agreement as grader_agreement,
)
from .scorers.outcome import (
    outcome as outcome,
)
from .scorers.valid_texts import (
    valid_texts as valid_texts,
)
from .solvers.any_task import (
    polish as polish,
)
from .solvers.any_task import (
    suggest as suggest,
)
from .solvers.any_task import (
    terse as terse,
)
from .solvers.any_task import (
    with_setting as with_setting,
)
from .solvers.ask import (
    ask as ask,
)
from .solvers.compare_with_other import (
    compare_with_other as compare_with_other,
)
from .solvers.follow_up import (
    follow_up as follow_up,
)
from .solvers.follow_up import (
    push_back as push_back,
)
from .solvers.follow_up import (
    reflect as reflect,
)
from .solvers.format_instruction import (
    format_instruction as format_instruction,
)
from .solvers.structured import (
    structured as structured,
)
from .solvers.until_valid import (
    until_valid as until_valid,
)
from .written_texts_tasks import (
    make_attacks as make_attacks,
)
from .written_texts_tasks import (
    make_auxiliary as make_auxiliary,
)
from .written_texts_tasks import (
    make_reformulations as make_reformulations,
)
from .written_texts_tasks import (
    make_rewordings as make_rewordings,
)
