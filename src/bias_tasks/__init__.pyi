# What the package itself has; each is loaded on its first use, so that importing it loads no host.

__version__: str

from . import (
    plots as plots,
)
from .parsing.answer import (
    parse_answer as parse_answer,
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
from .scorers.outcome import (
    outcome as outcome,
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
    reflect as reflect,
)
from .solvers.format_instruction import (
    format_instruction as format_instruction,
)
from .solvers.replay import (
    replay as replay,
)
from .tasks.binary_qa import (
    binaryqa as binaryqa,
)
from .tasks.binary_qa import (
    binaryqa_arc as binaryqa_arc,
)
from .tasks.binary_qa import (
    binaryqa_nrc as binaryqa_nrc,
)
from .tasks.binary_qa import (
    binaryqa_prc as binaryqa_prc,
)
from .tasks.binary_qa import (
    binaryqa_qa as binaryqa_qa,
)
from .tasks.binary_qa import (
    binaryqa_sc as binaryqa_sc,
)
from .tasks.complex_eval import (
    complexeval_attention_limit as complexeval_attention_limit,
)
from .tasks.complex_eval import (
    complexeval_basic as complexeval_basic,
)
from .tasks.complex_eval import (
    complexeval_math as complexeval_math,
)
from .tasks.complex_eval import (
    complexeval_role_playing as complexeval_role_playing,
)
from .tasks.complex_eval import (
    complexeval_writing as complexeval_writing,
)
from .tasks.instruction_boundary import (
    conformity as conformity,
)
from .tasks.instruction_boundary import (
    disturbing_miscellany as disturbing_miscellany,
)
from .tasks.instruction_boundary import (
    few_shot as few_shot,
)
from .tasks.instruction_boundary import (
    missing_choices as missing_choices,
)
from .tasks.instruction_boundary import (
    multi_turn as multi_turn,
)
from .tasks.instruction_boundary import (
    prompt_polishing as prompt_polishing,
)
from .tasks.instruction_boundary import (
    self_reflection as self_reflection,
)
from .tasks.instruction_boundary import (
    vagueness as vagueness,
)
from .tasks.instruction_boundary import (
    vanilla as vanilla,
)
from .tasks.judge_bias import (
    judge_pairwise as judge_pairwise,
)
from .tasks.judge_bias import (
    judge_single as judge_single,
)
from .tasks.judge_bias import (
    self_preference as self_preference,
)
from .tasks.output_format import (
    format_bias as format_bias,
)
from .tasks.output_format import (
    format_list as format_list,
)
from .tasks.output_format import (
    format_mapping as format_mapping,
)
from .tasks.output_format import (
    format_mcq as format_mcq,
)
from .tasks.output_format import (
    format_wrapping as format_wrapping,
)
from .tasks.probing import (
    probe as probe,
)
