"""Output formats: what is planted in a persona comes back, and nothing follows by accident."""

import itertools
import math

import numpy as np
import pytest

from bias_tasks.contract.family import Answer
from bias_tasks.names import PROTOCOLS
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS, formats_of
from bias_tasks.output_format.items import ANSWER_TYPES, PROMPTINGS, FormatItem, FormatParams
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.scores import task_score
from bias_tasks.simulated.formats import wrong_answer
from bias_tasks.simulated.persona import make_respondent
from tests.bias_tasks.output_format.cases import formats_in
from tests.bias_tasks.output_format.runs import items_of

ITEMS = [each for kind in ANSWER_TYPES for each in items_of(kind, 4)]
NUMBERS = items_of("number", 400)
WRAPPINGS = [fmt.name for fmt in formats_in("wrapping")]


def questions(items=ITEMS, formats=tuple(FORMATS), **asking):
    params = FormatParams(**asking)
    return [
        FormatQuestion(item, fmt.name, params)
        for item in items
        for fmt in formats_of(item)
        if fmt.name in formats
    ]


def every_way():
    """Questions under every prompting and protocol, their instruction once or three times."""
    for prompting, protocol, repeat in itertools.product(PROMPTINGS, PROTOCOLS, (1, 3)):
        yield from questions(prompting=prompting, protocol=protocol, repeat=repeat)


def said(persona, question):
    asked = question.to_question()
    return persona.respond(asked.prompt, asked)


def read(question, persona):
    """The corrected reading of a persona's answer, and the answer."""
    text = said(persona, question)
    fmt, prompting = FORMATS[question.format], question.params.prompting
    return fmt.read(text, question.item, "corrected", prompting), text


def outcomes(persona, items=NUMBERS, formats=tuple(FORMATS), **asking):
    asked = [question.to_question() for question in questions(items, formats, **asking)]
    return [FAMILY.read(q.facts, Answer(persona.respond(q.prompt, q))) for q in asked]


def card(persona, items=NUMBERS, formats=tuple(FORMATS), **asking):
    return FAMILY.scorecard(outcomes(persona, items, formats, **asking), {})


def agrees(found, planted, n):
    """Whether a share agrees with a planted one within four standard errors."""
    return abs(found - planted) <= 4 * math.sqrt(planted * (1 - planted) / n) + 1e-9


def test_right_answers_score_and_wrong_ones_do_not_in_every_format():
    right, wrong = make_respondent("perfect"), make_respondent("perfect", {"accuracy": 0})
    for question in every_way():
        gold = question.item.answer
        listed = question.item.answer_type == "binary_list"
        for persona, score in ((right, 1), (wrong, sum(gold) / len(gold) if listed else 0)):
            found, text = read(question, persona)
            assert found.follows, text
            assert task_score(found.payload, question.item, "corrected") == pytest.approx(score)


def test_nothing_follows_by_accident():
    silent = ({"follow": 0, "near_miss": 0.5}, {"abstention": 1})
    personas = [make_respondent("perfect", planted) for planted in silent]
    for question, persona in itertools.product(every_way(), personas):
        found, text = read(question, persona)
        assert not found.follows, text


def test_a_wrong_answer_is_wrong_whatever_the_gold_is():
    golds = {
        "text": ["unrelated-0", "the", "a b", "unrelated0 unrelated1"],
        "number": ["0", "1,875", "-3.5"],
        "string_list": [(), ("unrelated-0",)],
        "mapping": [{"Task": ()}, {"Task": ("unrelated-0",), "Method": ()}],
        "option_letter": ["A", "Z"],
    }
    for answer_type, given in golds.items():
        for answer in given:
            item = FormatItem("i", "d", "Which?", answer, answer_type, "c")
            assert task_score(wrong_answer(item, 0), item, "corrected") == 0


@pytest.mark.parametrize("prompting", PROMPTINGS)
def test_planted_traits_come_back(prompting):
    planted = {
        **{"follow": 0.7, "follow_bolding": 0.25, "follow_quoting": 1.0, "near_miss": 0.5},
        **{"accuracy": 0.8, "accuracy_brackets": 0.35, "accuracy_quoting": 0.95},
    }
    found = card(make_respondent("steadfast", {"seed": 3, **planted}), prompting=prompting)
    for name in WRAPPINGS:
        follow = planted.get(f"follow_{name}", planted["follow"])
        right = planted.get(f"accuracy_{name}", planted["accuracy"])
        assert agrees(found[f"fi/{name}"].value, follow, len(NUMBERS))
        assert agrees(found[f"est_true/{name}"].value, right, len(NUMBERS) * follow)
        assert agrees(found[f"sys/{name}"].value, follow * right, len(NUMBERS))


def test_equal_accuracy_at_unequal_fi_is_no_bias_and_a_planted_one_is_found():
    contained = 0
    for seed in range(8):
        found = card(make_respondent("format_blind", {"seed": seed}), NUMBERS[:150], WRAPPINGS)
        assert found["fi_var"].ci_low > 100
        contained += found["bias_f_corrected"].ci_low <= 0 <= found["bias_f_corrected"].ci_high
    assert contained >= 6
    biased = make_respondent("format_biased")
    planted = 100**2 * np.var([biased.accuracy_of(name) for name in WRAPPINGS])
    found = card(biased, NUMBERS, WRAPPINGS)["bias_f_corrected"]
    assert 0 < found.ci_low <= planted <= found.ci_high
