"""Output formats: a respondent sees which is asked, and what is planted in it comes back."""

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest

from bias_tasks.family import Answer
from bias_tasks.names import PROTOCOLS
from bias_tasks.output_format.data.load import load_formats
from bias_tasks.output_format.data.synthetic import generate_formats
from bias_tasks.output_format.formats import FORMATS, formats_in, formats_of, reading
from bias_tasks.output_format.items import ANSWER_TYPES, PROMPTINGS, FormatItem
from bias_tasks.output_format.metrics_groups import run_card
from bias_tasks.output_format.outcomes import outcome_of
from bias_tasks.output_format.questions import FormatParams, FormatQuestion
from bias_tasks.output_format.scores import (
    task_score,
)
from bias_tasks.respondents.asked_format import asked_format
from bias_tasks.respondents.in_format import wrong_answer
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import PERSONAS, make_respondent
from bias_tasks.respondents.traits import PARAMETERS
from tests.bias_tasks.effort import growth

ITEMS = generate_formats(70, 1)
NUMBERS = generate_formats(600, 2, ("number",))
LISTS = generate_formats(300, 3, ("binary_list",))
WRAPPINGS = [fmt.name for fmt in formats_in("wrapping")]


KNOWN = KnownItems([*ITEMS, *NUMBERS, *LISTS])


def questions(items=ITEMS, formats=tuple(FORMATS), **asking):
    params = FormatParams(**asking)
    return [
        FormatQuestion(item, fmt.name, params)
        for item in items
        for fmt in formats_of(item)
        if fmt.name in formats
    ]


def every_way(repeats=(1, 3)):
    """Questions under every prompting, protocol and number of repetitions."""
    for prompting, protocol, repeat in itertools.product(PROMPTINGS, PROTOCOLS, repeats):
        yield from questions(prompting=prompting, protocol=protocol, repeat=repeat)


def read(question, respondent):
    """The corrected reading of a respondent's answer, and the answer."""
    text = respondent.respond(question.prompt(), KNOWN)
    fmt, prompting = FORMATS[question.format], question.params.prompting
    return reading.read(fmt, text, question.item, "corrected", prompting), text


def outcomes(respondent, items=NUMBERS, formats=tuple(FORMATS), **asking):
    return [
        outcome_of(question.facts(), Answer(respondent.respond(question.prompt(), KNOWN)))
        for question in questions(items, formats, **asking)
    ]


def card(respondent, items=NUMBERS, formats=tuple(FORMATS), **asking):
    return run_card(outcomes(respondent, items, formats, **asking), {})


def agrees(found, planted, n):
    """Whether a share agrees with a planted one within four standard errors."""
    return abs(found - planted) <= 4 * math.sqrt(planted * (1 - planted) / n) + 1e-9


def same_words(question):
    """The formats that have this question's prompt."""
    return {
        other.format
        for other in questions([question.item], prompting=question.params.prompting)
        if FormatQuestion(question.item, other.format, question.params).prompt()
        == question.prompt()
    }


def test_the_format_is_seen_in_every_prompt():
    for question in every_way():
        prompt = question.prompt()
        found = KNOWN.locate(prompt)
        assert found.item == question.item
        asked = asked_format(prompt, found.start, found.item)
        assert {fmt.name for fmt in asked.formats} == same_words(question)
        assert asked.times == question.params.repeat
        tags = question.params.prompting == "zs_cot" and question.format not in WRAPPINGS
        if len(asked.formats) == 1:
            assert asked.prompting == ("zs_cot" if tags else "zs")


def test_only_choices_and_special_characters_are_asked_for_alike_and_once():
    alike = {
        (question.item.answer_type, tuple(sorted(same)), question.params.repeat)
        for question in every_way()
        if len(same := same_words(question)) > 1
    }
    assert alike == {
        ("option_letter", ("character", "special_character"), 1),
        ("option_text", ("special_character", "text"), 1),
    }


def test_demonstrations_are_not_what_is_asked():
    demos = generate_formats(20, 9, training=True)
    KNOWN.add(demos)
    for question in every_way():
        shown = [item for item in demos if item.answer_type == question.item.answer_type]
        asking = FormatQuestion(question.item, question.format, question.params, tuple(shown))
        found = KNOWN.locate(asking.prompt())
        assert found.item == question.item
        asked = asked_format(asking.prompt(), found.start, found.item)
        assert question.format in {fmt.name for fmt in asked.formats}
        assert asked.times == question.params.repeat


def test_right_answers_follow_and_score_in_every_format():
    perfect = make_respondent("perfect")
    for question in every_way():
        found, text = read(question, perfect)
        assert found.follows, text
        assert task_score(found.payload, question.item, "corrected") == 1


@pytest.mark.parametrize(
    "dataset",
    ["gsm8k", "bbh", "hotpotqa", "fairytaleqa", "scidocs", "semeval2017", "scirex_hard"],
)
def test_the_papers_items_are_found_and_answered_rightly(shared_data, dataset):
    items = load_formats(dataset, n=25).items
    KNOWN.add(items)
    for prompting in PROMPTINGS:
        found = card(make_respondent("perfect"), items, prompting=prompting)
        assert {found[name].value for name in found if name.startswith(("fi/", "sys/"))} == {1.0}


def test_wrong_answers_follow_and_score_0_or_the_share_of_relevant_candidates():
    wrong = make_respondent("perfect", {"accuracy": 0})
    for question in every_way():
        found, text = read(question, wrong)
        assert found.follows, text
        gold = question.item.answer
        worst = sum(gold) / len(gold) if question.item.answer_type == "binary_list" else 0
        assert task_score(found.payload, question.item, "corrected") == pytest.approx(worst)


def test_a_wrong_answer_is_wrong_whatever_the_gold_is():
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
            assert task_score(wrong_answer(item, 0), item, "corrected") == 0


@pytest.mark.parametrize("near_miss", [0, 0.5, 1])
@pytest.mark.parametrize("silent", [{"follow": 0}, {"abstention": 1}], ids=["follow", "abstention"])
def test_nothing_follows_by_accident(near_miss, silent):
    respondent = make_respondent("perfect", {**silent, "near_miss": near_miss})
    for question in every_way(repeats=(1,)):
        found, text = read(question, respondent)
        assert not found.follows, text


def test_verbosity_stands_before_what_may_stand_anywhere():
    for verbosity in ("sentence", "reasoned", "rambling"):
        respondent = make_respondent("perfect", {"verbosity": verbosity})
        for question in questions(prompting="zs_cot"):
            found, text = read(question, respondent)
            assert found.follows, text
            assert "\n" in text


PLANTED = {
    "follow": 0.7,
    "follow_bolding": 0.25,
    "follow_quoting": 1.0,
    "accuracy": 0.8,
    "accuracy_brackets": 0.35,
    "accuracy_quoting": 0.95,
    "near_miss": 0.5,
}


@pytest.mark.parametrize("prompting", PROMPTINGS)
def test_planted_parameters_come_back(prompting):
    respondent = make_respondent("steadfast", {"seed": 3, **PLANTED})
    found = card(respondent, prompting=prompting)
    for name in WRAPPINGS:
        follow = PLANTED.get(f"follow_{name}", PLANTED["follow"])
        right = PLANTED.get(f"accuracy_{name}", PLANTED["accuracy"])
        assert agrees(found[f"fi/{name}"].value, follow, len(NUMBERS))
        assert agrees(found[f"est_true/{name}"].value, right, len(NUMBERS) * follow)
        assert agrees(found[f"sys/{name}"].value, follow * right, len(NUMBERS))


def test_planted_parameters_of_lists_come_back():
    planted = {"follow_newline": 0.5, "accuracy": 0.6, "abstention": 0.2}
    found = card(make_respondent("steadfast", planted), LISTS)
    floor = np.mean([sum(item.answer) / len(item.answer) for item in LISTS])
    assert agrees(found["fi/newline"].value, 0.5 * 0.8, len(LISTS))
    assert agrees(found["fi/python"].value, 0.8, len(LISTS))
    for name in ("python", "newline"):
        assert found[f"est_true/{name}"].value == pytest.approx(0.6 + 0.4 * floor, abs=0.08)


def test_of_two_formats_asked_for_alike_the_one_with_parameters_counts():
    items = generate_formats(600, 4, ("option_letter",))
    KNOWN.add(items)
    for planted in ("character", "special_character"):
        respondent = make_respondent("perfect", {f"follow_{planted}": 0.5})
        found = card(respondent, items, (planted,), prompting="zs_cot")
        assert agrees(found[f"fi/{planted}"].value, 0.5, len(items))


def test_the_answer_in_mind_is_the_same_in_every_format():
    by_item = defaultdict(set)
    for outcome in outcomes(make_respondent("steadfast", {"accuracy": 0.5}), NUMBERS[:200]):
        by_item[outcome.item].add(outcome.score)
    assert all(len(scores) == 1 for scores in by_item.values())
    assert set.union(*by_item.values()) == {0.0, 1.0}


def test_equal_accuracy_at_unequal_fi_is_no_bias():
    blind = PERSONAS["format_blind"]
    assert len({blind.accuracy_of(name) for name in FORMATS}) == 1
    contained = 0
    for seed in range(12):
        respondent = make_respondent("format_blind", {"seed": seed})
        found = card(respondent, NUMBERS[:200], WRAPPINGS)
        assert found["fi_var"].ci_low > 100
        contained += found["bias_f_corrected"].ci_low <= 0 <= found["bias_f_corrected"].ci_high
    assert contained >= 10


def test_a_planted_format_bias_is_found():
    biased = PERSONAS["format_biased"]
    planted = 100**2 * np.var([biased.accuracy_of(name) for name in WRAPPINGS])
    found = card(biased, NUMBERS, WRAPPINGS)["bias_f_corrected"]
    assert found.ci_low <= planted <= found.ci_high
    assert found.ci_low > 0
    assert all(value.value == 1 for name, value in card(biased).items() if name.startswith("fi/"))


def test_near_misses_make_sys_underestimate_and_leave_est_true():
    respondent = make_respondent("steadfast", {"follow": 0.5, "near_miss": 1, "accuracy": 0.8})
    asked = questions(NUMBERS, ["bolding"])
    texts = [respondent.respond(question.prompt(), KNOWN) for question in asked]
    told = [
        question.item.answer in text.strip("*").rstrip(".").split()
        for question, text in zip(asked, texts, strict=True)
    ]
    found = card(respondent, NUMBERS, ["bolding"])
    assert agrees(np.mean(told), 0.8, len(NUMBERS))
    assert agrees(found["sys/bolding"].value, 0.4, len(NUMBERS))
    assert agrees(found["est_true/bolding"].value, 0.8, len(NUMBERS) / 2)


def test_repeated_instructions_are_followed_more_by_the_planted_gain():
    respondent = make_respondent("perfect", {"follow": 0.4, "follow_gain": 0.5})
    followed = {}
    for repeat in (1, 2, 3):
        found = outcomes(respondent, formats=["brackets"], repeat=repeat)
        followed[repeat] = {outcome.item for outcome in found if outcome.own["follows"]}
        planted = 1 - 0.6 * 0.5 ** (repeat - 1)
        assert agrees(len(followed[repeat]) / len(NUMBERS), planted, len(NUMBERS))
    assert followed[1] < followed[2] < followed[3]


def test_what_a_format_cannot_hold_is_said_in_plain_words_or_not_at_all():
    perfect = make_respondent("perfect")
    told = {}
    for answer in (("a\nb", "c"), ("a <SEP> b", "c")):
        item = FormatItem(str(answer), "d", f"Not {answer}?", answer, "string_list", "s")
        KNOWN.add([item])
        for question in questions([item]):
            told[answer[0], question.format] = perfect.respond(question.prompt(), KNOWN)
    assert told["a\nb", "bullet"] == "Well, I would say a\nb, c."
    assert told["a\nb", "python"] == "['a\\nb', 'c']"
    assert told["a <SEP> b", "sep"] == ""  # the plain words would be a list of two
    assert told["a <SEP> b", "bullet"] == "- a <SEP> b\n- c"


def test_a_prompt_without_a_format_is_answered_in_plain_words():
    item = NUMBERS[0]
    text = make_respondent("perfect").respond(f"Solve this.\n{item.input}", KNOWN)
    assert text == f"Well, I would say {item.answer}."


def test_of_many_questions_that_begin_alike_each_is_found_at_once():
    """As many answers take as many steps, however many items there are to choose from."""

    def asked(count):
        first = f"Read the text and answer. There are {count} of them."
        items = [
            FormatItem(f"{count}/{n}", "d", f"{first}\nText {n}.", str(n), "number", f"n{n}")
            for n in range(count)
        ]
        known = KnownItems(items)
        perfect = make_respondent("perfect")
        some = [
            (item, question.prompt())
            for item in items[:300:10]
            for question in questions([item], ["bolding"])
        ]

        def answered():
            for item, prompt in some:
                assert perfect.respond(prompt, known) == f"**{item.answer}**"

        return answered

    assert growth(asked, 300) < 1.5


def test_every_format_has_its_parameters():
    assert {f"{kind}_{name}" for kind in ("accuracy", "follow") for name in FORMATS} <= set(
        PARAMETERS
    )
    assert {item.answer_type for item in ITEMS} == set(ANSWER_TYPES)


def test_a_general_parameter_replaces_the_presets_of_formats():
    blind = make_respondent("format_blind", {"follow": 0.9, "follow_sep": 0.1})
    assert blind.follow_of("text") == blind.follow_of("python") == 0.9
    assert blind.follow_of("sep") == 0.1
    assert make_respondent("format_biased", {"accuracy": 0.7}).accuracy_of("yaml") == 0.7
    with pytest.raises(ValueError, match="follow_bolding=2: expected a number between 0 and 1"):
        make_respondent("perfect", {"follow_bolding": 2})
