"""FormatEval (Do et al. 2025), biases towards output formats, as tasks of Inspect."""

from functools import partial

from bias_tasks.tasks._build import family_task

_task = partial(family_task, __name__)

format_mcq = _task("format_mcq")
format_wrapping = _task("format_wrapping")
format_list = _task("format_list")
format_mapping = _task("format_mapping")
format_bias = _task("format_bias")
