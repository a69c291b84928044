"""Instruction Boundary (Ling et al. 2025, arXiv:2509.20278) as tasks of Inspect."""

from functools import partial

from bias_tasks.tasks._build import family_task

_task = partial(family_task, __name__)

vanilla = _task("vanilla")
multi_turn = _task("multi_turn")
self_reflection = _task("self_reflection")
conformity = _task("conformity")
disturbing_miscellany = _task("disturbing_miscellany")
few_shot = _task("few_shot")
missing_choices = _task("missing_choices")
vagueness = _task("vagueness")
prompt_polishing = _task("prompt_polishing")
instruction_boundary = _task("instruction_boundary")
