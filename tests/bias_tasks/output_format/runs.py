"""Runs of output formats without a host, and through Inspect."""

from dataclasses import asdict, replace
from pathlib import Path

from inspect_ai import eval as inspect_eval

from bias_tasks.contract.family import Answer
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import formats_of
from bias_tasks.output_format.items import FormatItem, FormatParams, format_item_to_dict
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.run import Answered, Run
from bias_tasks.simulated.persona import make_respondent
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.output_format.cases import formats_in

WRAPPINGS = tuple(fmt.name for fmt in formats_in("wrapping"))


def items_of(answer_type, count, first=0):
    """Questions whose answer is a number, a text, a list of 0 and 1, and so on; each its own."""
    made = []
    for at in range(first, first + count):
        answer, options = {
            "option_letter": ("ABC"[at % 3], (f"a {at}", f"b {at}", f"c {at}")),
            "option_text": ("ABC"[at % 3], (f"a {at}", f"b {at}", f"c {at}")),
            "text": (f"word{at}", ()),
            "number": (str(at + 1), ()),
            "binary_list": (tuple(int(k == 0 or (at >> k) & 1) for k in range(3 + at % 5)), ()),
            "string_list": ((f"first {at}", f"second {at}"), ()),
            "mapping": ({"Task": (f"task{at}x",), "Method": ()}, ()),
        }[answer_type]
        name = f"{answer_type}{at}"
        text = f"What is {answer_type} {at}, asked?"
        made.append(FormatItem(name, "synthetic", text, answer, answer_type, name, options))
    return made


def numbers(count, first=0):
    """Questions whose answer is a number."""
    return items_of("number", count, first)


def asked(items, persona="perfect", planted=(), formats=WRAPPINGS, **asking):
    """A run in which a respondent answered the items, which it knows, in the formats."""
    respondent = make_respondent(persona, dict(planted))
    params = FormatParams(**asking)
    questions = [
        FormatQuestion(item, fmt.name, params).to_question()
        for item in items
        for fmt in formats_of(item)
        if fmt.name in formats
    ]
    answers = [
        Answered(q.facts, FAMILY.read(q.facts, Answer(respondent.respond(q.prompt, q))), q.prompt)
        for q in questions
    ]
    record = {"family": FAMILY.name, "task": "format_wrapping", "parameters": asdict(params)}
    record |= {"protocol": params.protocol, "data": "synthetic", "notes": [], "provenance": []}
    run = Run("bias_tasks/format_wrapping", "inspect", f"simulated/{persona}", record, n=len(items))
    return RunAnswers(run, tuple(answers))


def came_to(answer, follows, score):
    """The same answer, had it followed its format or not, and scored otherwise."""
    own = {**answer.outcome.own, "follows": follows}
    return replace(answer, outcome=replace(answer.outcome, score=score, own=own))


def of_dataset(answer, dataset):
    """The same answer to an item of another data set."""
    question = answer.facts["question"]
    item = {**question["item"], "dataset": dataset}
    facts = {**answer.facts, "dataset": dataset, "question": {**question, "item": item}}
    own = {**answer.outcome.own, "dataset": dataset}
    return Answered(facts, replace(answer.outcome, own=own))


def evaluated(task, folder, model="simulated/steadfast", **options):
    """The log of a run through Inspect."""
    options = {"display": "none", "log_realtime": False, "score_display": False} | options
    [log] = inspect_eval(task, model=model, log_dir=str(folder), **options)
    return log


def logged(task, folder, persona="perfect", planted=()):
    """The path of the Inspect log of a respondent's run."""
    log = evaluated(task, folder, f"simulated/{persona}", model_args=dict(planted))
    assert log.status == "success", log.error
    return Path(log.location)


def training_file(path, items):
    """Items as a file of the user's."""
    columns = ("id", "input", "answer", "answer_type")
    rows = [format_item_to_dict(item) for item in items]
    return write_jsonl(path, [{column: row[column] for column in columns} for row in rows])
