"""Answers to questions in an output format, made from lm-eval's documents."""

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.plan import question_from_dict
from bias_tasks.simulated.formats import wrong_answer
from tests.bias_tasks.harness_runs import facts


def question_of(doc):
    return question_from_dict(facts(doc)["question"])


def in_format(doc, answer=None):
    """An answer in the document's format: the right one, where no other is given."""
    question = question_of(doc)
    payload = question.item.answer if answer is None else answer
    return FORMATS[question.format].render(payload, question.item, question.params.prompting)


def mixed(doc):
    """Right and wrong answers in the format, right ones in no format, and none, by the id."""
    answers = [
        in_format(doc),
        in_format(doc),
        in_format(doc, wrong_answer(question_of(doc).item, 0)),
        f"It is {doc['gold']}.",
        "",
    ]
    return answers[sum(doc["id"].encode()) % len(answers)]
