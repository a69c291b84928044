"""What judges answer to the documents of the harness, by functions of the document."""

import json

from bias_tasks.names import content_hash
from tests.bias_tasks.complex_eval.judges import flaw_finder
from tests.bias_tasks.harness_runs import values

_FIND = flaw_finder()


def facts_of(doc):
    """What reading the answer takes: a document has it as text."""
    return json.loads(doc["facts"])


def figures_of(results, task):
    """The figures of a task, without the number of outcomes that the harness alone has."""
    return {name: value for name, value in values(results, task).items() if name != "outcome"}


def verdict(doc, number):
    """An answer of the asked form, whose score follows from a number; often the better one."""
    facts = facts_of(doc)
    form = facts["form"]
    family = form["family"]
    if family == "basic":
        lowest = 4 if doc["id"].endswith("chosen") else 1
        return {"score": lowest + number % 13 / 2}
    if family == "math":
        gold = facts["judgements"][0]["gold"]
        return {"first_error": number % form["steps"] if number % 3 == 0 else gold}
    if family == "creative_writing":
        scores = {name: 1 + (number + place) % 10 for place, name in enumerate(form["criteria"])}
        return {"scores": scores}
    flaw = {"severity": 1 + number % 10, "quote": "so it was"}
    count = number % (2 * len(form["criteria"]))
    return {"flaws": [{"dimension": name, **flaw} for name in (2 * form["criteria"])[:count]]}


def mixed(doc):
    """Scores all over the scale, plain and in prose; out of range, refusals and nothing."""
    number = _number(doc)
    said = json.dumps(verdict(doc, number))
    strange = ['{"score": 11}', "I can't judge this.", "", '{"score": 5'][number // 8 % 4]
    return [said, said, f"It is fine.\n\n```json\n{said}\n```", said, strange][number % 5]


def attentive(doc):
    """Every planted flaw where it is; now and then nothing that can be read."""
    return "hard to say" if _number(doc) % 11 == 0 else _FIND(doc["prompt"])


def _number(doc):
    return int(content_hash(doc["id"]), 16)
