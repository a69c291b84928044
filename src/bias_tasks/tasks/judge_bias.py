"""Tasks of Inspect with the evaluated model as a judge."""

from functools import partial

from bias_tasks.solvers.compare_with_other import compare_with_other
from bias_tasks.tasks._build import family_task

_task = partial(family_task, __name__)

judge_pairwise = _task("judge_pairwise")
judge_single = _task("judge_single")
self_preference = _task("self_preference", compare_with_other)
