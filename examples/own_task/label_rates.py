"""Add the accuracies on common and rare labels to a task, with `label_rates`.

cd examples/own_task && python label_rates.py
"""

import json
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.solver import multiple_choice
from inspect_evals.pubmedqa.pubmedqa import TEMPLATE, record_to_sample

from bias_tasks import label_rates

rows = [json.loads(line) for line in Path("pubmedqa.jsonl").open(encoding="utf-8")]
task = Task(
    dataset=[record_to_sample(row) for row in rows],
    solver=multiple_choice(template=TEMPLATE),
    scorer=label_rates(tense=["yes", "no"], sparse=["maybe"]),
)
[log] = eval(task, model="simulated/first_option", display="none")
print(log.results.scores[0].metrics["sr"].value)
# 0.5
