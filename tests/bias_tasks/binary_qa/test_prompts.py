"""Prompts of yes/no questions, and requests for their rewordings."""

import pytest

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.binary_qa.items import (
    NEGATIVE_REFORMULATIONS,
    REFORMULATIONS,
    VARIANTS,
    BinaryItem,
    PendingNumberQuestion,
)
from bias_tasks.binary_qa.prompts.render import (
    meaning_request,
    number_meaning_request,
    number_question_request,
    reformulation_request,
    render_question,
)
from bias_tasks.contract.outcomes import Answer
from tests.bias_tasks.builders import questions

REWORDED = {
    "synonym": "Is caffeine present in black tea?",
    "polite": "Would you say caffeine is found in black tea?",
    "contradictory": "Is caffeine not found in black tea?",
    "false": "Is it false that caffeine is found in black tea?",
}
TEA = BinaryItem("t", "Is caffeine found in black tea?", "Yes", "reading", "test", "t")
CUP = BinaryItem("c", TEA.question, "Yes", "reading", "test", "c", "Tea {holds} it.", REWORDED)
PAPER_EXAMPLES = {
    "synonym": ("Is caffeine found in black tea?", "Is caffeine present in black tea?"),
    "polite": ("Is Paris the capital of France?", "Would you say Paris is the capital of France?"),
    "contradictory": ("Does the sun rise in the east?", "Does the sun not rise in the east?"),
    "false": ("Is the moon a star?", "Is it false that the moon is a star?"),
}


def test_prompts_are_word_for_word():
    assert render_question(TEA, "original") == (
        "Question: Is caffeine found in black tea?\nChoose one of the following answers: Yes/No"
    )
    assert render_question(CUP, "false", "no_yes", cue=True) == (
        "Context:\nTea {holds} it.\n\n"
        "Question: Is it false that caffeine is found in black tea?\n"
        "Choose one of the following answers: No/Yes\nAnswer:"
    )
    assert render_question(CUP, "reversed", "no_yes") == render_question(CUP, "original", "yes_no")
    with pytest.raises(ValueError, match="item t has no polite reformulation"):
        render_question(TEA, "polite")


def test_a_variant_changes_only_the_question_or_the_answers():
    original = render_question(CUP, "original").splitlines()
    for variant in VARIANTS:
        lines = render_question(CUP, variant).splitlines()
        changed = [new for old, new in zip(original, lines, strict=True) if old != new]
        if variant in REFORMULATIONS:
            assert changed == [f"Question: {REWORDED[variant]}"]
        elif variant == "reversed":
            assert changed == ["Choose one of the following answers: No/Yes"]
        else:
            assert changed == []


def test_requests_for_rewordings_and_checks_have_the_papers_example():
    for kind, (before, after) in PAPER_EXAMPLES.items():
        request = reformulation_request("Is {it} late?", kind)
        assert f"Question: {before}\nReworded question: {after}\n" in request
        assert request.endswith("\nQuestion: Is {it} late?\nReworded question:")
        assert request.count("Reworded question: ") == 1  # one-shot
        check = meaning_request("Is {it} late?", kind, "Is {it} early?")
        same = "Do they ask the same, so that the right answer to one is always the right answer "
        turned = "Does one ask the opposite of the other, so that whenever the right answer to one "
        assert check.startswith("Below are two yes/no questions. ")
        assert (turned if kind in NEGATIVE_REFORMULATIONS else same) in check
        assert check.endswith(
            "\n\nFirst question: Is {it} late?\n\nSecond question: Is {it} early?\n\n"
            "Answer with Yes or No."
        )


def test_requests_for_yes_no_forms_have_the_papers_example():
    for style, example in (
        ("threshold", "Did Dhanraj Pillay's career span over 14 years?"),
        ("exact", "Were there 2 TD runs in the game?"),
    ):
        item = PendingNumberQuestion(
            **{"id": "p", "domain": "d", "source": "s", "cluster": "c", "answer": "No"},
            **{"question": "How many {men} ran?", "value": 7, "style": style},
        )
        request = number_question_request(item)
        assert f"Yes/no question: {example}\n" in request
        assert request.endswith(
            "\nQuestion: How many {men} ran?\nIts answer: 7\n"
            "Right answer to the yes/no question: No\nYes/no question:"
        )
        assert number_meaning_request(item, "Did 9 {men} run?") == (
            "The right answer to the first question below is 7. Is No then the right answer to the "
            "second?\n\nFirst question: How many {men} ran?\n\nSecond question: Did 9 {men} run?"
            "\n\nAnswer with Yes or No."
        )


def test_negative_reformulations_can_ask_for_the_affirmative_form_first():
    for variant in VARIANTS:
        plain = render_question(CUP, variant)
        restated = render_question(CUP, variant, affirmative_first=True)
        if variant in NEGATIVE_REFORMULATIONS:
            assert restated.startswith(f"{plain}\nFirst restate the question in the affirmative, ")
        else:
            assert restated == plain
    first, second = (questions("binaryqa_nrc", affirmative_first=it) for it in (False, True))
    assert [q.id for q in first] == [q.id for q in second]
    changed = {
        q.variant for q, other in zip(first, second, strict=True) if q.prompt != other.prompt
    }
    assert changed == NEGATIVE_REFORMULATIONS
    question = next(q for q in second if q.variant == "false")
    text = "Restated: Is caffeine found in black tea? Yes, it is.\nAnswer: No"
    assert FAMILY.score_answer(question.scoring_data, Answer(text)).answer == "No"
    for values in ({"base_model": True}, {"protocol": "published"}):
        with pytest.raises(ValueError, match="affirmative_first=true needs an answer of several"):
            questions("binaryqa", affirmative_first=True, **values)
    values = FAMILY.tasks["binaryqa"].values({"affirmative_first": True})
    with pytest.raises(ValueError, match="in `_ll` tasks"):
        FAMILY.plan("binaryqa", values, likelihoods=True)
    assert FAMILY.mitigations == {"affirmative_first"}
