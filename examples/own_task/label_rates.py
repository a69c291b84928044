"""Add the accuracies on common and rare labels to a task, with `label_rates`.

The labels of each sample are its target. `sr` is the accuracy on the labels in `tense`, `gr` that
on those in `sparse`, and `rs` their harmonic mean.

    cd examples/own_task && python label_rates.py
"""

import json
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.solver import multiple_choice
from inspect_evals.pubmedqa.pubmedqa import TEMPLATE, record_to_sample

from bias_tasks import label_rates

lines = Path("pubmedqa.jsonl").read_text(encoding="utf-8").splitlines()
rows = map(json.loads, lines)
task = Task(
    dataset=[record_to_sample(row) for row in rows],
    solver=multiple_choice(template=TEMPLATE),
    scorer=label_rates(tense=["yes", "no"], sparse=["maybe"]),
)
[log] = eval(task, model="simulated/first_option", display="none")
print(log.results.scores[0].metrics["sr"].value)
# 0.5
