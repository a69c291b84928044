"""Yes/no questions: planted parameters come back, and calls of one prompt differ as planted."""

import itertools
import math
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from bias_tasks.binary_qa.items import NEGATIVE, VARIANTS, Reformulations
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import ASSISTANTS, PERSONAS, make_respondent
from tests.bias_tasks.effort import growth
from tests.bias_tasks.respondents.items import binary_items

N = 2000
ITEMS = binary_items(N)
REPEATS = ("original", "repeat_2", "repeat_3")
COMPARED = {
    "prc": ("original", "synonym", "polite"),
    "nrc": ("original", "contradictory", "false"),
    "arc": ("original", "reversed"),
    "sc": REPEATS,
}
"""Which variants each consistency compares."""


KNOWN = KnownItems(ITEMS)


def answers(respondent, items=ITEMS, order="yes_no"):
    """Each item's answers by variant; None where an answer is neither Yes nor No."""
    return [
        {
            variant: text if text in ("Yes", "No") else None
            for variant in VARIANTS
            for text in [respondent.respond(ask_binary(item, variant, order), KNOWN)]
        }
        for item in items
    ]


def shares(given, items=ITEMS):
    """Observed shares: the consistencies, Yes among originals of each gold, unread originals."""
    found = {}
    for name, variants in COMPARED.items():
        found[name] = sum(
            all(
                row[variant] is not None
                and row["original"] is not None
                and (row[variant] != row["original"]) == (variant in NEGATIVE)
                for variant in variants
            )
            for row in given
        ) / len(given)
    for gold in ("Yes", "No"):
        of_gold = [row for row, item in zip(given, items, strict=True) if item.answer == gold]
        found[f"yes of {gold}"] = sum(row["original"] == "Yes" for row in of_gold) / len(of_gold)
    found["unread"] = sum(row["original"] is None for row in given) / len(given)
    return found


def expected(persona, first="Yes"):
    """The same shares by enumerating what is drawn once a question: the rest is independent."""
    p = persona
    prompts = {"prc": 3, "nrc": 3, "arc": 2, "sc": 1}  # distinct ones, each read or not
    found = dict.fromkeys([*COMPARED, "yes of Yes", "yes of No"], 0.0) | {"unread": p.abstention}
    for gold, right, to_no, to_yes, led in itertools.product(("Yes", "No"), *[(True, False)] * 4):
        weight = math.prod(
            chance if happens else 1 - chance
            for happens, chance in (
                (right, p.accuracy_of(gold)),
                (to_no, p.no_lean),
                (to_yes, p.yes_lean),
                (led, p.order_effect),
            )
        )
        base = float((gold == "Yes") == right)

        def says_yes(variant, base=base, to_no=to_no, to_yes=to_yes, led=led):
            if led:
                return float((first == "Yes") != (variant == "reversed"))
            turned = {"synonym": p.rewording, "polite": p.rewording}.get(variant, 0.0)
            turned = 1 - p.negation if variant in NEGATIVE else turned
            has = base * (1 - turned) + (1 - base) * turned
            has = has * (1 - p.unsteady) + p.unsteady / 2
            return has * (1 - to_no) + (1 - has) * to_yes

        for name, variants in COMPARED.items():
            chances = [says_yes(v) if v not in NEGATIVE else 1 - says_yes(v) for v in variants]
            same = math.prod(chances) + math.prod(1 - chance for chance in chances)
            found[name] += weight / 2 * same * (1 - p.abstention) ** prompts[name]
        found[f"yes of {gold}"] += weight * says_yes("original") * (1 - p.abstention)
    return found


def agree(found, planted, counts):
    """Assert that shares agree with planted ones within four standard errors."""
    for name, share in planted.items():
        error = 4 * math.sqrt(abs(share * (1 - share)) / counts.get(name, N)) + 1e-6
        assert abs(found[name] - share) <= error, (name, found[name], share)


COUNTS = {"yes of Yes": N / 2, "yes of No": N / 2}
PLANTED = [
    {"accuracy_yes": 0.7, "accuracy_no": 0.95},
    {"no_lean": 0.3},
    {"yes_lean": 0.2},
    {"negation": 0.4},
    {"rewording": 0.15},
    {"order_effect": 0.25},
    {"unsteady": 0.3},
    {"abstention": 0.1},
    {"no_lean": 0.2, "negation": 0.3, "order_effect": 0.1, "abstention": 0.1, "seed": 4},
    {"yes_lean": 0.1, "no_lean": 0.3, "rewording": 0.2, "unsteady": 0.5, "accuracy": 0.6},
]


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: "+".join(planted))
def test_planted_parameters_come_back(planted):
    respondent = make_respondent("steadfast", planted)
    agree(shares(answers(respondent)), expected(respondent), COUNTS)


def test_the_other_order_leads_to_no():
    respondent = make_respondent("first_option")
    found = shares(answers(respondent, order="no_yes"))
    agree(found, expected(respondent, first="No"), COUNTS)
    assert found["yes of Yes"] < 0.8 * 0.7


@pytest.mark.parametrize(
    ("planted", "figures"),
    [
        ({"no_lean": 0.3}, {"prc": 1, "nrc": 0.7, "arc": 1, "sc": 1, "yes of Yes": 0.8 * 0.7}),
        ({"negation": 0.4}, {"prc": 1, "nrc": 0.36, "arc": 1, "sc": 1, "yes of No": 0.2}),
        ({"rewording": 0.4}, {"prc": 0.36, "nrc": 1, "arc": 1, "sc": 1}),
        ({"order_effect": 0.25}, {"prc": 1, "nrc": 0.75, "arc": 0.75, "sc": 1, "yes of No": 0.4}),
        ({"unsteady": 0.5}, {"prc": 0.4375, "nrc": 0.4375, "arc": 0.625, "sc": 0.4375}),
        ({"abstention": 0.2}, {"prc": 0.512, "nrc": 0.512, "arc": 0.64, "sc": 0.8, "unread": 0.2}),
        ({"unsteady": 1.0}, {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}),
    ],
    ids=lambda value: "+".join(value),
)
def test_the_expected_figures_are_the_documented_ones(planted, figures):
    shown = expected(make_respondent("steadfast", planted))
    assert {name: shown[name] for name in figures} == pytest.approx(figures)


def test_a_coin_is_the_papers_random_baseline():
    found = shares(answers(make_respondent("coin", {"seed": 3})))
    baseline = {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25, "yes of Yes": 0.5}
    agree(found, baseline | {"yes of No": 0.5, "unread": 0.0}, COUNTS)


def test_the_mute_are_never_consistent_and_the_perfect_always_right():
    found = shares(answers(make_respondent("mute"), ITEMS[:100]), ITEMS[:100])
    assert found == dict.fromkeys(found, 0.0) | {"unread": 1.0}
    for item, row in zip(ITEMS, answers(make_respondent("perfect"), ITEMS[:100]), strict=False):
        assert row == {variant: item.gold(variant) for variant in VARIANTS}


def test_identical_prompts_get_the_same_answers_in_the_same_order_each_time():
    prompts = [ask_binary(item, "original") for item in ITEMS[:30]]
    rounds = [(prompt, number) for number in range(5) for prompt in prompts]
    given = []
    for shuffle in (0, 1):
        respondent = make_respondent("unsteady")
        order = list(prompts * 5)
        random.Random(shuffle).shuffle(order)
        numbers = Counter()
        got = {}
        for prompt in order:
            got[prompt, numbers[prompt]] = respondent.respond(prompt, KNOWN)
            numbers[prompt] += 1
        given.append([got[key] for key in rounds])
    assert given[0] == given[1]
    assert any(given[0][n] != given[0][n + 30] for n in range(30))


@pytest.mark.parametrize("name", ["coin", "unsteady"])
def test_threads_do_not_change_the_multiset_of_answers(name):
    prompts = [ask_binary(item, "original") for item in ITEMS[:50]] * 12
    alone = make_respondent(name)
    expected_counts = Counter((prompt, alone.respond(prompt, KNOWN)) for prompt in prompts)
    together = make_respondent(name)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(together.respond, prompts, itertools.repeat(KNOWN)))
    assert Counter(zip(prompts, texts, strict=True)) == expected_counts


def test_only_the_unsteady_remember_calls():
    respondent = make_respondent("no_leaner", {"abstention": 0.3})
    prompts = [ask_binary(item, "original") for item in ITEMS[:200]]
    assert [respondent.respond(p, KNOWN) for p in prompts] == [
        respondent.respond(p, KNOWN) for p in prompts
    ]


@pytest.mark.parametrize("name", ["no_leaner", "negation_blind", "first_option", "unsteady"])
def test_a_cue_or_text_before_the_question_does_not_turn_the_draws(name):
    plain, decorated = make_respondent(name), make_respondent(name)
    for item, variant in itertools.product(ITEMS[:100], VARIANTS):
        prompt = ask_binary(item, variant, cue=True)
        text = f"You are helpful.\n\nQuestion: What?\nAnswer: No\n\n{prompt}"
        assert decorated.respond(text, KNOWN) == plain.respond(ask_binary(item, variant), KNOWN)


@pytest.mark.parametrize("verbosity", ["terse", "sentence", "reasoned", "rambling"])
@pytest.mark.parametrize(
    "style", ["asked", "number", "final_answer", "heading", "json", "words", "oblique"]
)
def test_every_way_of_putting_an_answer_is_read(style, verbosity):
    respondent = make_respondent("perfect", {"style": style, "verbosity": verbosity})
    for item, variant in itertools.product(ITEMS[:2], VARIANTS):
        label = read_yes_no(respondent.respond(ask_binary(item, variant), KNOWN)).label
        assert label == (None if style == "oblique" else item.gold(variant))


def test_refusals_are_unread():
    mute = make_respondent("mute")
    texts = {mute.respond(ask_binary(item, "original"), KNOWN) for item in ITEMS[:100]}
    assert len(texts) > 1
    assert all(read_yes_no(text).unread for text in texts)


def test_an_unknown_question_gets_a_chance_answer_among_those_printed():
    prompts = [
        ask_binary(replace(item, context=f"Nobody knows {item.id}."), "original") for item in ITEMS
    ]
    perfect = make_respondent("perfect")
    given = [perfect.respond(prompt, KNOWN) for prompt in prompts]
    assert set(given) == {"Yes", "No"}
    agree({"yes": given.count("Yes") / N}, {"yes": 0.5}, {})
    assert given == [perfect.respond(prompt, KNOWN) for prompt in prompts]
    coin = make_respondent("coin")
    assert given != [coin.respond(prompt, KNOWN) for prompt in prompts]
    again = sum(coin.respond(prompt, KNOWN) == coin.respond(prompt, KNOWN) for prompt in prompts)
    agree({"same": again / N}, {"same": 0.5}, {})


@pytest.mark.parametrize("name", [*PERSONAS, *ASSISTANTS])
def test_every_persona_answers_every_variant(name):
    respondent = make_respondent(name)
    for variant in VARIANTS:
        assert isinstance(respondent.respond(ask_binary(ITEMS[0], variant), KNOWN), str)


def test_a_negation_is_overlooked_on_one_wording_and_not_on_the_other():
    given = answers(make_respondent("negation_blind", {"negation": 0.5}))
    both = Counter(
        (row["contradictory"] == row["original"], row["false"] == row["original"]) for row in given
    )
    assert all(abs(count / N - 0.25) < 0.04 for count in both.values())
    assert len(both) == 4
    assert all(row["synonym"] == row["polite"] == row["original"] for row in given)


@pytest.mark.parametrize("name", ["no_leaner", "unsteady"])
def test_items_that_share_their_question_are_not_gone_through_one_by_one(name):
    def asked(count):
        wordings = Reformulations(
            synonym=f"Is lamp {count} alight?",
            polite=f"Would you say lamp {count} is lit?",
            contradictory=f"Is lamp {count} unlit?",
            false=f"Is it false that lamp {count} is lit?",
        )
        question = {"question": f"Is lamp {count} lit?", "reformulations": wordings}
        items = [replace(item, **question) for item in ITEMS[:count]]
        KNOWN.add(items)
        respondent = make_respondent(name)
        prompts = [ask_binary(item, variant) for item in items for variant in VARIANTS]
        return lambda: [respondent.respond(prompt, KNOWN) for prompt in prompts]

    assert growth(asked, 60) < 5
