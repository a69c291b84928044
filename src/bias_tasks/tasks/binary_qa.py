"""Inspect tasks of binary question answering (Khrapunova 2025)."""

from functools import partial

from bias_tasks.tasks._build import family_task

_task = partial(family_task, __name__)

binaryqa = _task("binaryqa")
binaryqa_prc = _task("binaryqa_prc")
binaryqa_nrc = _task("binaryqa_nrc")
binaryqa_arc = _task("binaryqa_arc")
binaryqa_sc = _task("binaryqa_sc")
binaryqa_qa = _task("binaryqa_qa")
