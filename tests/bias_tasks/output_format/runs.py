"""Runs of output formats without a framework, and through Inspect."""

from dataclasses import asdict
from pathlib import Path

from inspect_ai import eval as inspect_eval

from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import find_formats
from bias_tasks.output_format.items import FormatItem, FormatParams
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.run import Run, ScoredAnswer
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.output_format.cases import formats_in
from tests.bias_tasks.results.runs import make_record

WRAPPINGS = tuple(fmt.name for fmt in formats_in("wrapping"))


def make_items(answer_type, count, first=0):
    """Return different items with this type of answer."""
    items = []
    for at in range(first, first + count):
        answer, options = {
            "option_letter": ("ABC"[at % 3], (f"a {at}", f"b {at}", f"c {at}")),
            "option_text": ("ABC"[at % 3], (f"a {at}", f"b {at}", f"c {at}")),
            "option_set": (("A", "C")[: 1 + at % 2], (f"a {at}", f"b {at}", f"c {at}")),
            "text": (f"word{at}", ()),
            "number": (str(at + 1), ()),
            "binary_list": (tuple(int(k == 0 or (at >> k) & 1) for k in range(3 + at % 5)), ()),
            "string_list": ((f"first {at}", f"second {at}"), ()),
            "mapping": ({"Task": (f"task{at}x",), "Method": ()}, ()),
        }[answer_type]
        name = f"{answer_type}{at}"
        text = f"What is {answer_type} {at}, asked?"
        items.append(FormatItem(name, "synthetic", text, answer, answer_type, name, options))
    return items


def numbers(count, first=0):
    """Return items whose answer is a number."""
    return make_items("number", count, first)


def simulate_run(items, persona="perfect", traits=(), formats=WRAPPINGS, **params):
    """Return a run in which a simulated model answered the items in the formats."""
    model = make_simulated_model(persona, dict(traits))
    params = FormatParams(**params)
    questions = [
        FormatQuestion(item, fmt.name, params).to_question()
        for item in items
        for fmt in find_formats(item)
        if fmt.name in formats
    ]
    answers = [
        ScoredAnswer(
            q.scoring_data,
            FAMILY.score_visible_text(q.scoring_data, Answer(model.respond(q.prompt, q))),
            q.prompt,
        )
        for q in questions
    ]
    record = make_record(
        FAMILY.name, "format_wrapping", protocol=params.protocol, parameters=asdict(params)
    )
    run = Run("bias_tasks/format_wrapping", "inspect", f"simulated/{persona}", record, n=len(items))
    return RunAnswers(run, tuple(answers))


def evaluated(task, folder, model="simulated/steadfast", **options):
    """Return the log of a run through Inspect."""
    options = {"display": "none", "log_realtime": False, "score_display": False} | options
    [log] = inspect_eval(task, model=model, log_dir=str(folder), **options)
    return log


def write_log(task, folder, persona):
    """Return the path of the Inspect log of a simulated model's run."""
    log = evaluated(task, folder, f"simulated/{persona}")
    assert log.status == "success", log.error
    return Path(log.location)


def training_file(path, items):
    """Write items to a user's file."""
    columns = ("id", "input", "answer", "answer_type")
    rows = [item.to_dict() for item in items]
    return write_jsonl(path, [{column: row[column] for column in columns} for row in rows])
