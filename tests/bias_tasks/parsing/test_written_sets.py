"""Answers that name several options or deny all, which recorded answers hardly do.

`written_sets.jsonl` holds 340 answers that were written for such prompts by people who had not seen
the parser. They protect sets, denials and options that are judged line by line from changes made
for other answers; no rule is chosen on them.
"""

import json
from collections import Counter
from pathlib import Path

from bias_tasks.parsing import parse_answer
from tests.bias_tasks.parsing.recorded import value_of, verdict

ROWS = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("written_sets.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def counts():
    """Right, unparsed and wrong answers."""
    verdicts = Counter()
    for row in ROWS:
        answer = parse_answer(
            row["text"], form="choice", options=row["options"], option_labels=row["labels"]
        )
        verdicts[verdict(value_of(answer, "choice"), row["says"])] += 1
    return verdicts


def test_sets_and_denials():
    verdicts = counts()
    assert verdicts.total() == 340
    assert verdicts["right"] / verdicts.total() >= 0.85
    assert verdicts["wrong"] == 0
