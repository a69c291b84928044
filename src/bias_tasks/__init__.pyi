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
    format_wrapping as format_wrapping,
)
from .probing_tasks import (
    probe as probe,
)
