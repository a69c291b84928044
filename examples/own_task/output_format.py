"""Request an output format in your own task, with `format_instruction` and `format_gated`.

The prompt contains the instruction of the format `repeat` times. Answers that do not follow the
format score 0. `fi` is the share of answers that follow it (0 to 1).

    cd examples/own_task && python output_format.py
"""

from inspect_ai import Task, eval
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import exact
from inspect_ai.solver import generate

from bias_tasks import format_gated, format_instruction

task = Task(
    dataset=json_dataset("questions.jsonl", FieldSpec(input="question", target="answer")),
    solver=[format_instruction("bolding", repeat=2), generate()],
    scorer=format_gated(exact()),
)
[log] = eval(task, model="simulated/always_yes", display="none")
print(log.results.scores[0].metrics["fi"].value)  # 0.0
