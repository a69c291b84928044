"""Answers that ended at a token limit are read where they begin with what they say."""

import pytest

from bias_tasks.family import Answer
from bias_tasks.instruction_boundary.family import FAMILY


def outcome(form, text, stop, **given):
    spec = FAMILY.tasks["vanilla"]
    values = spec.values({"form": form, "data": "synthetic", "n": 1, **given})
    [question] = FAMILY.plan("vanilla", values).questions
    return FAMILY.outcome(question.facts, Answer(text, stop, prompt=question.prompt))


@pytest.mark.parametrize(
    ("form", "text", "read"),
    [
        ("judging", "2", "False"),
        ("judging", "The statement is disproved, because the first fact", "False"),
        ("judging", "## Answer\n\nDisproved. The first fact says that", "False"),
        ("judging", "Fact 1 is it. So the statement is disproved. Fact 2 says more.", None),
        ("judging", "Let us see.\n\nFinal Answer: 2\n\nFact 3 says that, too.", None),
        ("judging", "It says so twice. Final Answer: 2\n\nQuestion: Is a vrinyat", "False"),
        ("choice", "2, because the notes say", "2"),
        ("choice", "The answer is 1 and 3. Both keep", "1, 3"),
        ("choice", "The answer is 1", None),
        ("choice", "Answer: 1, 3", None),
        ("choice", "The first is wrong. The answer is 2. The third is wrong, too.", None),
        ("choice", "The first is wrong. So 2\n\nQuestion: Which of the", "2"),
    ],
)
def test_a_cut_answer_counts_where_the_text_begins_with_it(form, text, read):
    found = outcome(form, text, "cut")
    assert found.answer == read
    assert "token limit" in found.why
    whole = outcome(form, text, "stop")
    assert whole.answer is not None
    assert "token limit" not in whole.why


def test_the_published_instrument_reads_a_cut_answer_like_any_other():
    text = "Fact 1 is it. So the statement is disproved. Fact 2 says more."
    assert outcome("judging", text, "cut", protocol="published").answer == "False"
    assert outcome("judging", text, "cut").answer is None
