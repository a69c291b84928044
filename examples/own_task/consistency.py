"""Add consistency metrics over rewordings to any scorer, with `reformulation_consistency`.

The metadata of each sample contains its `item` and `variant`. `nrc` uses the variants in
`opposite`, `arc` the variant `reversed`, `sc` the variants whose names start with `repeat`, and
`prc` all others.

    cd examples/own_task && python consistency.py
"""

from inspect_ai import Task, eval
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import answer

from bias_tasks import reformulation_consistency

fields = FieldSpec(input="question", target="answer", metadata=["item", "variant"])
task = Task(
    dataset=json_dataset("questions.jsonl", fields),
    scorer=answer("word"),
    metrics=[reformulation_consistency(opposite=["contradictory"])],
)
[log] = eval(task, model="simulated/always_yes", display="none")
print({name: log.results.scores[0].metrics[name].value for name in ("prc", "nrc")})
# {'prc': 1.0, 'nrc': 0.0}
