"""Output formats: metrics recover planted traits, and nothing follows a format by accident."""

import itertools

import numpy as np
import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS, find_formats
from bias_tasks.output_format.items import ANSWER_TYPES, PROMPTINGS, FormatItem, FormatParams
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.scores import score_payload
from bias_tasks.protocols import PROTOCOLS
from bias_tasks.simulated.draws import Simulated
from bias_tasks.simulated.formats import wrong_answer
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.output_format.cases import formats_in
from tests.bias_tasks.output_format.runs import make_items
from tests.bias_tasks.simulated.runs import agrees

ITEMS = [item for answer_type in ANSWER_TYPES for item in make_items(answer_type, 4)]
NUMBERS = make_items("number", 400)
WRAPPINGS = [fmt.name for fmt in formats_in("wrapping")]


def questions(items=ITEMS, formats=tuple(FORMATS), **params):
    return [
        FormatQuestion(item, fmt.name, FormatParams(**params))
        for item in items
        for fmt in find_formats(item)
        if fmt.name in formats
    ]


def all_questions():
    """Questions under every prompting and protocol, with one instruction or three."""
    for prompting, protocol, repeat in itertools.product(PROMPTINGS, PROTOCOLS, (1, 3)):
        yield from questions(prompting=prompting, protocol=protocol, repeat=repeat)


def respond(persona, question):
    rendered = question.to_question()
    return persona.respond(rendered.prompt, rendered)


def parse(question, persona):
    """A persona's answer, parsed by the corrected protocol, and its text."""
    text = respond(persona, question)
    fmt, prompting = FORMATS[question.format], question.params.prompting
    return fmt.parse(text, question.item, "corrected", prompting), text


def outcomes(persona, items=NUMBERS, formats=tuple(FORMATS), **params):
    rendered = [question.to_question() for question in questions(items, formats, **params)]
    return [
        FAMILY.score_visible_text(q.scoring_data, Answer(persona.respond(q.prompt, q)))
        for q in rendered
    ]


def simulate_metrics(persona, items=NUMBERS, formats=tuple(FORMATS), **params):
    return FAMILY.compute_metrics(outcomes(persona, items, formats, **params), {})


def test_correct_answers_score_and_wrong_ones_do_not_in_every_format():
    right, wrong = make_simulated_model("perfect"), make_simulated_model("perfect", {"accuracy": 0})
    for question in all_questions():
        gold = question.item.answer
        listed = question.item.answer_type == "binary_list"
        for persona, score in ((right, 1), (wrong, sum(gold) / len(gold) if listed else 0)):
            parsed, text = parse(question, persona)
            assert parsed.follows, text
            assert score_payload(parsed.payload, question.item, "corrected") == pytest.approx(score)


def test_no_answer_follows_a_format_by_accident():
    silent = ({"follow": 0, "near_miss": 0.5}, {"abstention": 1})
    personas = [make_simulated_model("perfect", planted) for planted in silent]
    for question, persona in itertools.product(all_questions(), personas):
        parsed, text = parse(question, persona)
        assert not parsed.follows, text


def test_a_wrong_answer_is_wrong_for_every_gold():
    golds = {
        "text": ["unrelated-0", "the", "a b", "unrelated0 unrelated1"],
        "number": ["0", "1,875", "-3.5"],
        "string_list": [(), ("unrelated-0",)],
        "mapping": [{"Task": ()}, {"Task": ("unrelated-0",), "Method": ()}],
        "option_letter": ["A", "Z"],
    }
    for answer_type, answers in golds.items():
        for answer in answers:
            item = FormatItem("i", "d", "Which?", answer, answer_type, "c")
            assert score_payload(wrong_answer(item, Simulated()), item, "corrected") == 0


@pytest.mark.parametrize("prompting", PROMPTINGS)
def test_metrics_recover_planted_traits(prompting):
    planted = {
        **{"follow": 0.7, "follow_bolding": 0.25, "follow_quoting": 1.0, "near_miss": 0.5},
        **{"accuracy": 0.8, "accuracy_brackets": 0.35, "accuracy_quoting": 0.95},
    }
    metrics = simulate_metrics(
        make_simulated_model("steadfast", {"seed": 3, **planted}), prompting=prompting
    )
    for name in WRAPPINGS:
        follow = planted.get(f"follow_{name}", planted["follow"])
        right = planted.get(f"accuracy_{name}", planted["accuracy"])
        assert agrees(metrics[f"fi/{name}"].value, follow, len(NUMBERS))
        assert agrees(metrics[f"est_true/{name}"].value, right, len(NUMBERS) * follow)
        assert agrees(metrics[f"sys/{name}"].value, follow * right, len(NUMBERS))


def test_unequal_fi_is_not_a_bias_and_a_planted_bias_is_found():
    contained = 0
    for seed in range(8):
        metrics = simulate_metrics(
            make_simulated_model("format_blind", {"seed": seed}), NUMBERS[:150], WRAPPINGS
        )
        assert metrics["fi_var"].ci_low > 100
        contained += metrics["bias_f_corrected"].ci_low <= 0 <= metrics["bias_f_corrected"].ci_high
    assert contained >= 6
    biased = make_simulated_model("format_biased")
    planted = 100**2 * np.var([biased.find_accuracy(name) for name in WRAPPINGS])
    metrics = simulate_metrics(biased, NUMBERS, WRAPPINGS)["bias_f_corrected"]
    assert 0 < metrics.ci_low <= planted <= metrics.ci_high
