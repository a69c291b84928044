"""ComplexEval (Li et al. 2025) as tasks of Inspect; the evaluated model is the judge."""

from functools import partial

from bias_tasks.tasks._build import family_task

_task = partial(family_task, __name__)

complexeval_basic = _task("complexeval_basic")
complexeval_math = _task("complexeval_math")
complexeval_role_playing = _task("complexeval_role_playing")
complexeval_writing = _task("complexeval_writing")
complexeval_attention_limit = _task("complexeval_attention_limit")
