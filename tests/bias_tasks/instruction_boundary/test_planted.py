"""Planted parameters come back from the answers, and draws depend on nothing else."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.prompts.ask import ask, ask_again, judge_prompt, polish_request
from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict
from bias_tasks.instruction_boundary.settings import SETTINGS, SettingParams
from bias_tasks.prompts.templates import template
from bias_tasks.respondents.draws import draw, pick
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import ASSISTANTS, PARAMETERS, PERSONAS, make_respondent
from tests.bias_tasks.respondents.items import choice_items, judging_items

N = 4000
JUDGING = judging_items(N)
CHOICE = choice_items(N)


KNOWN = KnownItems([*JUDGING, *CHOICE])


def asked(item, variant="vanilla", **params):
    return ask(item, variant, SettingParams(**params), setting=variant)


def label_of(item, respondent, variant="vanilla", **params):
    """The prediction: a judging label, or the places of the options chosen; None if unread."""
    shown = asked(item, variant, **params)
    text = respondent.respond(shown.prompt, KNOWN)
    if item.form == "judging":
        return {"1": "True", "2": "False", "3": "Unknown"}.get(text)
    if text == "No correct answer":
        return ()
    numbers = text.split(", ")
    if not all(number.isdecimal() for number in numbers):
        return None
    return tuple(int(number) - 1 for number in numbers)


def within(count, total, share):
    """Whether a count agrees with a planted share within four standard errors."""
    return abs(count / total - share) <= 4 * math.sqrt(share * (1 - share) / total) + 1e-12


@pytest.mark.parametrize("items", [JUDGING, CHOICE], ids=["judging", "choice"])
def test_accuracy_comes_back_for_each_label(items):
    planted = dict(zip(PARAMETERS[1:7], (0.9, 0.7, 0.35, 0.95, 0.2, 0.5), strict=True))
    respondent = make_respondent("steadfast", {"seed": 5, **planted})
    for label in {item.label for item in items}:
        of_label = [item for item in items if item.label == label]
        right = sum(label_of(item, respondent) == item.answer for item in of_label)
        assert within(right, len(of_label), planted[f"accuracy_{label.lower()}"])


@pytest.mark.parametrize("label", ["True", "False", "Unknown"])
@pytest.mark.parametrize("adopt", [0.0, 0.35, 1.0])
def test_judging_answers_elsewhere_move_to_the_suggestion_at_the_planted_rate(label, adopt):
    respondent = make_respondent("steadfast", {"adopt": adopt, "accuracy": 0.6})
    moved = elsewhere = 0
    for item in JUDGING:
        before = label_of(item, respondent)
        after = label_of(item, respondent, "conformity", suggest=label)
        if before == label:
            assert after == label
            continue
        elsewhere += 1
        moved += after == label
        assert after in (before, label)
    assert elsewhere > N / 3
    assert within(moved, elsewhere, adopt)


@pytest.mark.parametrize("label", ["single", "multiple", "none"])
def test_choice_answers_elsewhere_move_to_the_suggestion_at_the_planted_rate(label):
    respondent = make_respondent("steadfast", {"adopt": 0.35, "accuracy": 0.6})
    moved = elsewhere = 0
    for item in CHOICE:
        target = asked(item, "conformity", suggest=label).suggestion.places
        before = label_of(item, respondent)
        after = label_of(item, respondent, "conformity", suggest=label)
        if before == target:
            assert after == target
            continue
        elsewhere += 1
        moved += after == target
        assert after in (before, target)
    assert elsewhere > N / 3
    assert within(moved, elsewhere, 0.35)


@pytest.mark.parametrize("variant", ["conformity", "few_shot", "vagueness", "prompt_polishing"])
def test_without_biases_a_setting_changes_nothing(variant):
    respondent = make_respondent("steadfast", {"accuracy": 0.5})
    items = [*JUDGING[:300], *CHOICE[:300]]
    for item in items:
        if item.form == "judging" and variant == "prompt_polishing":
            continue  # option 3 is missing there, so Unknown must move
        examples = (JUDGING if item.form == "judging" else CHOICE)[-3:]
        prompts = [
            ask(item, name, SettingParams(), setting=variant, examples=examples).prompt
            for name in (variant, "vanilla")
        ]
        assert respondent.respond(prompts[0], KNOWN) == respondent.respond(prompts[1], KNOWN)


def test_reflection_moves_the_answer_at_the_planted_rate():
    respondent = make_respondent("wavering", {"reflect": 0.4, "accuracy": 0.7})
    for items, shape in ((JUDGING, "judging"), (CHOICE, "choice")):
        moved = 0
        for item in items:
            first = respondent.respond(asked(item, "multi_turn").prompt, KNOWN)
            second = respondent.respond(ask_again(item, SettingParams(), first), KNOWN)
            moved += first.split("\n")[-1] != second.split("\n")[-1]
        assert within(moved, N, 0.4), shape


def test_reflection_starts_from_the_answer_that_the_prompt_shows():
    respondent = make_respondent("steadfast", {"accuracy": 1.0})
    item = JUDGING[0]
    for shown in ("1", "2", "3", "The statement is disproved.", "Final Answer: 2"):
        answer = respondent.respond(ask_again(item, SettingParams(), f"Well...\n{shown}"), KNOWN)
        assert answer.endswith({"The": "2", "Fin": "2"}.get(shown[:3], shown))
    unread = respondent.respond(ask_again(item, SettingParams(), "I'd rather not."), KNOWN)
    assert unread.endswith("\n1")  # its own base answer, as the prompt shows none


def test_abstention_comes_back_and_is_never_read_as_an_answer():
    respondent = make_respondent("perfect", {"abstention": 0.3})
    texts = [respondent.respond(asked(item).prompt, KNOWN) for item in JUDGING]
    silent = [text for text in texts if text not in ("1", "2", "3")]
    assert within(len(silent), N, 0.3)
    assert all(read_judging(text).unread for text in set(silent))
    assert all(read_choice(text, n_options=4).unread for text in set(silent))
    mute = make_respondent("mute")
    assert {mute.respond(asked(item).prompt, KNOWN) for item in JUDGING[:100]} == set(silent)


def test_wrong_answers_prefer_the_first_option_at_the_planted_rate():
    # 0.4 go to the first wrong option; of the other 0.6, one in three singles is the first too.
    respondent = make_respondent(
        "steadfast", {"accuracy": 0.0, "hedge": 0.0, "position": 0.4, "seed": 2}
    )
    singles = [item for item in CHOICE if item.label == "single"]
    first = sum(label_of(item, respondent) == (0,) for item in singles)
    assert within(first, len(singles), 0.4 + 0.6 / 3)


def test_hedging_comes_back():
    respondent = make_respondent("steadfast", {"accuracy": 0.0, "hedge": 0.25})
    tense = [item for item in JUDGING if item.answer != "Unknown"]
    unknown = sum(label_of(item, respondent) == "Unknown" for item in tense)
    assert within(unknown, len(tense), 0.25)
    several = [item for item in CHOICE if item.label == "multiple"]
    none = sum(label_of(item, respondent) == () for item in several)
    assert within(none, len(several), 0.25)


def test_a_coin_gives_every_answer_alike():
    coin = make_respondent("coin", {"seed": 1})
    labels = Counter(label_of(item, coin) for item in JUDGING)
    assert set(labels) == {"True", "False", "Unknown"}
    assert all(within(count, N, 1 / 3) for count in labels.values())
    items = [item for item in CHOICE if item.label != "multiple"]
    places = Counter(label_of(item, coin) for item in items)
    assert set(places) == {(), (0,), (1,), (2,), (3,)}
    assert all(within(count, len(items), 0.2) for count in places.values())


def test_hasty_never_hedges_and_cautious_often_does():
    hasty, cautious = make_respondent("hasty"), make_respondent("cautious")
    for items, sparse in ((JUDGING[:1200], "Unknown"), (CHOICE[:1200], ())):
        assert not any(label_of(item, hasty) == sparse for item in items)
        assert sum(label_of(item, cautious) == sparse for item in items) > 0.55 * len(items)


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("variant", ["vanilla", "missing_choices", "disturbing_miscellany"])
def test_a_perfect_respondent_is_right_whatever_is_shown(variant, protocol):
    # Published, options stand unnumbered and gold counts from 0: who counts from 1 is wrong.
    shift = 1 if protocol == "published" and variant != "disturbing_miscellany" else 0
    respondent = make_respondent("perfect")
    for item in CHOICE[:300]:
        shown = asked(item, variant, protocol=protocol)
        gold = shown.shown.places(item.answer)
        symbols = [shown.shown.symbol(place) for place in gold]
        if shift:
            symbols = [str(place + 1) for place in gold]
        expected = ", ".join(symbols) or "No correct answer"
        assert respondent.respond(shown.prompt, KNOWN) == expected


def test_a_label_that_is_not_offered_is_not_answered():
    respondent = make_respondent("perfect")
    unknown = [item for item in JUDGING if item.answer == "Unknown"]
    answers = [respondent.respond(asked(item, "missing_choices").prompt, KNOWN) for item in unknown]
    assert set(answers) == {"1", "2"}
    assert within(answers.count("1"), len(answers), 0.5)


@pytest.mark.parametrize("verbosity", ["terse", "sentence", "reasoned", "rambling"])
@pytest.mark.parametrize("style", ["asked", "number", "final_answer", "heading", "json", "words"])
def test_every_way_of_putting_an_answer_is_read(style, verbosity):
    respondent = make_respondent("perfect", {"style": style, "verbosity": verbosity})
    for item, variant in itertools.product(
        [*JUDGING[:12], *CHOICE[:12]], ["vanilla", "multi_turn"]
    ):
        shown = asked(item, variant)
        text = respondent.respond(shown.prompt, KNOWN)
        if item.form == "judging":
            assert read_judging(text).label == item.answer
        else:
            reading = read_choice(text, n_options=shown.n_options)
            assert (reading.label, reading.options) == (item.label, item.answer)


def test_oblique_answers_are_unread_until_the_judge_reads_them():

    respondent, judge = make_respondent("oblique", {"accuracy": 1.0}), make_respondent("judge")
    for item in [*JUDGING[:6], *CHOICE[:6]]:
        shown = asked(item)
        text = respondent.respond(shown.prompt, KNOWN)
        verdict = judge.respond(judge_prompt(shown.shown, shown.n_options, text), KNOWN)
        if item.form == "judging":
            assert read_judging(text).unread
            assert judging_verdict(verdict).label == item.answer
        else:
            assert read_choice(text, n_options=4).unread
            assert choice_verdict(verdict, 4).options == item.answer


def test_the_judge_gives_no_verdict_on_what_it_does_not_know():

    judge = make_respondent("judge")
    for item in (JUDGING[0], CHOICE[0]):
        shown = asked(item)
        prompt = judge_prompt(shown.shown, shown.n_options, "Colourless green ideas.")
        reply = judge.respond(prompt, KNOWN)
        assert judging_verdict(reply) is None
        assert choice_verdict(reply, 4) is None
    assert judging_verdict(judge.respond("no judge prompt at all", KNOWN)) is None


def test_the_polisher_keeps_the_prompt():

    prompt = asked(CHOICE[0]).prompt
    polished = make_respondent("polisher").respond(polish_request(prompt), KNOWN)
    assert polished != prompt
    assert polished.endswith(prompt)
    assert KNOWN.find(polished) is CHOICE[0]


@given(st.permutations(range(12)))
def test_order_does_not_matter(order):
    respondent = make_respondent("conformist", {"seed": 3})
    prompts = [asked(item, "conformity").prompt for item in JUDGING[:12]]
    alone = [respondent.respond(prompt, KNOWN) for prompt in prompts]
    mixed = {place: respondent.respond(prompts[place], KNOWN) for place in order}
    assert [mixed[place] for place in range(12)] == alone


def test_what_stands_before_the_question_does_not_turn_the_draw():
    respondent = make_respondent("conformist", {"adopt": 0.5, "abstention": 0.3})
    for item in JUDGING[:100]:
        prompt = asked(item, "conformity").prompt
        assert respondent.respond(f"You are helpful.\n\n{prompt}\n", KNOWN) == respondent.respond(
            prompt, KNOWN
        )


def test_seeds_differ():
    texts = [
        [
            make_respondent("coin", {"seed": seed}).respond(asked(item).prompt, KNOWN)
            for item in JUDGING[:50]
        ]
        for seed in range(3)
    ]
    assert texts[0] != texts[1] != texts[2]


def test_an_unknown_item_is_answered_from_what_is_offered():
    respondent = make_respondent("perfect")
    numbered = "What is it?\n1. this\n2. that\n3. neither"
    assert respondent.respond(numbered, KNOWN) in ("1", "2", "3")
    lettered = "Pick. The last line should be 'ANSWER: $LETTER'.\n\nA) this\nB) that"
    assert respondent.respond(lettered, KNOWN) in ("ANSWER: A", "ANSWER: B")
    assert read_choice(respondent.respond("Say something.", KNOWN), n_options=4).unread


def test_an_unknown_item_is_kept_or_changed_in_reflection():

    question = "Which?\n1. this\n2. that\n3. neither"
    again = f"{question}\n\n{template('instruction_boundary/reflection.txt')}"
    firm = make_respondent("steadfast")
    assert firm.respond(again, KNOWN) == firm.respond(question, KNOWN)
    moved = make_respondent("wavering", {"reflect": 1.0})
    assert moved.respond(again, KNOWN) != moved.respond(question, KNOWN)
    assert moved.respond(again, KNOWN) in ("1", "2", "3")


def test_draws_are_uniform_and_fixed():
    assert draw(0, "a") == draw(0, "a") != draw(0, "b")
    assert draw(0, "a", "b") != draw(0, "ab")
    mean = sum(draw(7, str(n)) for n in range(N)) / N
    assert abs(mean - 0.5) < 4 * math.sqrt(1 / 12 / N)
    assert draw(0, "\ud800") == draw(0, "\ud800")  # lone surrogates occur in model output
    with pytest.raises(ValueError, match="empty"):
        pick([], 0)


def test_leaving_out_another_option_does_not_turn_a_pick():
    names = [(name, name) for name in "abcdefgh"]
    for seed in range(50):
        picked = pick(names, seed)
        rest = [pair for pair in names if pair[0] == picked or pair[0] in "ace"]
        assert pick(reversed(rest), seed) == picked


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("nobody", {}, "unknown persona 'nobody'.*conformist.*judge"),
        ("conformist", {"adapt": 1}, "unknown parameter 'adapt'.*adopt.*seed"),
        ("judge", {"seed": 1}, "unknown parameter 'seed' of persona 'judge': it takes none"),
        ("conformist", {"adopt": 1.5}, "adopt=1.5: expected a number between 0 and 1"),
        ("conformist", {"adopt": float("nan")}, "adopt=nan"),
        ("conformist", {"adopt": "much"}, "adopt='much'"),
        ("conformist", {"adopt": None}, "adopt=None"),
        ("conformist", {"seed": 1.5}, "seed=1.5: expected a whole number"),
        ("conformist", {"style": "loud"}, "style='loud': expected one of asked, number"),
        ("conformist", {"verbosity": []}, "verbosity"),
    ],
)
def test_wrong_names_and_values_are_refused(name, parameters, message):
    with pytest.raises(ValueError, match=message):
        make_respondent(name, parameters)


def test_a_given_accuracy_replaces_the_presets_of_each_label():
    hasty = make_respondent("hasty", {"accuracy": 1.0, "accuracy_none": 0.5})
    assert (hasty.accuracy_of("Unknown"), hasty.accuracy_of("none")) == (1.0, 0.5)
    assert make_respondent("hasty").accuracy_of("Unknown") == 0.0
    assert hasty.accuracy_of("single") == 1.0


@pytest.mark.parametrize("name", [*PERSONAS, *ASSISTANTS])
def test_every_persona_answers_every_setting(name):
    respondent = make_respondent(name)
    for item in (JUDGING[0], CHOICE[0]):
        examples = (JUDGING if item.form == "judging" else CHOICE)[-3:]
        for variant in SETTINGS:
            prompt = ask(item, variant, SettingParams(), setting=variant, examples=examples).prompt
            assert isinstance(respondent.respond(prompt, KNOWN), str)
