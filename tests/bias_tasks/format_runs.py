"""Runs of output formats without a host, and through Inspect."""

import json
from pathlib import Path

from inspect_ai import eval as inspect_eval

from bias_tasks.data.output_format.synthetic import generate_formats
from bias_tasks.design.output_format import FormatParams, FormatQuestion
from bias_tasks.formats import formats_in, formats_of
from bias_tasks.items.output_format import format_item_to_dict
from bias_tasks.mitigation.answers import Answer, Answers
from bias_tasks.respondents import known_items
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.scoring.output_format import format_shares, read_format

WRAPPINGS = tuple(fmt.name for fmt in formats_in("wrapping"))


def numbers(count, seed=0, **drawn):
    """Synthetic items whose answer is a number, known to the respondents."""
    items = generate_formats(count, seed, ("number",), **drawn)
    known_items.register(items)
    return items


def asked(items, persona="perfect", planted=(), formats=WRAPPINGS, **asking):
    """A run in which a respondent answered the items in the formats."""
    respondent = make_respondent(persona, dict(planted))
    params = FormatParams(**asking)
    questions = [
        FormatQuestion(item, fmt.name, params)
        for item in items
        for fmt in formats_of(item)
        if fmt.name in formats
    ]
    answers = []
    for question in questions:
        reading = read_format(question, respondent.respond(question.prompt()))
        answers.append(Answer(question, format_shares(question, reading)))
    return Answers(
        path=Path(f"{persona}.eval"),
        host="inspect",
        task="bias_tasks/format_wrapping",
        model=f"simulated/{persona}",
        answers=tuple(answers),
        unscored=0,
        repeat=params.repeat,
        provenance=(),
    )


def logged(task, folder, persona="perfect", planted=(), **options):
    """The path of the Inspect log of a respondent's run."""
    log = inspect_eval(
        task,
        model=f"simulated/{persona}",
        model_args=dict(planted),
        log_dir=str(folder),
        display="none",
        log_realtime=False,
        **options,
    )[0]
    assert log.status == "success", log.error
    return Path(log.location)


def training_file(path, items):
    """Items as a file of the user's."""
    columns = ("id", "input", "answer", "answer_type")
    rows = [format_item_to_dict(item) for item in items]
    lines = [json.dumps({column: row[column] for column in columns}) + "\n" for row in rows]
    path.write_text("".join(lines), encoding="utf-8")
    return path
