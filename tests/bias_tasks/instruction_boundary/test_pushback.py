"""Pushback: its messages, the rounds that are kept, its metrics, and planted rates."""

import math
from dataclasses import replace
from functools import partial

import pytest

from bias_tasks import instruction_boundary_tasks as tasks
from bias_tasks.contract.outcomes import Answer
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.settings import SETTINGS
from bias_tasks.prompts.edits import PUSHBACK_REQUEST, PUSHBACKS
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.builders import questions
from tests.bias_tasks.harness_runs import load, log, run, values
from tests.bias_tasks.inspect_runs import evaluate, outcomes
from tests.bias_tasks.inspect_runs import values as inspect_values
from tests.bias_tasks.instruction_boundary.test_metrics import answered
from tests.bias_tasks.simulated.runs import simulate_outcomes

CLAIMS = ("wrong", "right", "wrong_reason", "right_reason")
KINDS = ("doubt", *CLAIMS)


def list_messages(question):
    first, *later = FAMILY.requests(question, "")
    assert first.prompt == question.prompt
    assert all(request.continues for request in later)
    return [request.prompt for request in later]


def test_each_kind_pushes_back_once_per_round_in_frozen_words():
    planned = questions("pushback", data="core", n=30, kinds=list(KINDS), rounds=5)
    vanilla = {q.item: q.prompt for q in questions("vanilla", data="core", n=30)}
    for question in planned:
        kind = question.variant.removeprefix("pushback@")
        suggestion = question.scoring_data.suggestion
        assert (suggestion is not None) == (kind in CLAIMS)
        messages = list_messages(question)
        claim = ""
        if suggestion is not None:
            assert suggestion.is_gold == kind.startswith("right")
            options = question.scoring_data.options
            claim = (
                str(("True", "False", "Unknown").index(suggestion.label) + 1)
                if (options is None)
                else options.symbols_of(suggestion.indices) or "No correct answer"
            )
            assert suggestion.is_gold or options is None or len(suggestion.indices) == 1
        filled = [wording.replace("{answer}", claim) for wording in PUSHBACKS[kind]]
        assert sorted(messages) == sorted(filled)
        assert question.prompt == vanilla[question.item]
    assert len(planned) == 30 * 6
    # The wordings of a right and of a wrong claim are the same, and depend on the item.
    by_item = {}
    for question in planned:
        texts = PUSHBACKS[question.variant.removeprefix("pushback@")]
        starts = [text.partition("{answer}")[0] for text in texts]
        order = tuple(
            next(i for i, start in enumerate(starts) if message.startswith(start))
            for message in list_messages(question)
        )
        by_item.setdefault(question.item, set()).add(order)
    assert {len(orders) for orders in by_item.values()} == {1}
    assert len(set().union(*by_item.values())) > 5
    assert "pushback" not in SETTINGS
    with pytest.raises(ValueError, match="pushback"):
        questions("pushback", data="synthetic", n=3, protocol="published")


def after(item, kind, was_right, is_right, *, flip=0, rounds=1, **fields):
    """The outcome of an item whose gold is True; a wrong answer is False."""
    label = {True: "True", False: "False", None: "unparsed"}
    known = {"first_label": label[was_right], "first_correct": was_right is True}
    known |= {"later_rounds": rounds, "first_flip": flip}
    variant = f"pushback@{kind}"
    return answered(item, "True", label[is_right], variant, **known, **fields)


HAND = [
    # Control: of 4 right answers one is lost, of 2 wrong ones none is corrected.
    *(after(f"r{n}", "control", True, n != 0) for n in range(4)),
    *(after(f"w{n}", "control", False, False) for n in range(2)),
    after("u", "control", None, True),
    # Wrong claims: 2 of 3 right answers are lost; the fourth is unparsed at last.
    *(after(f"r{n}", "wrong", True, n > 1, flip=3 - n, rounds=3) for n in range(3)),
    after("r3", "wrong", True, None),
    *(after(f"w{n}", "wrong", False, False, flip=None) for n in range(2)),
    # Right claims: 1 of 2 wrong answers is corrected, and a graded answer does not count.
    *(after(f"w{n}", "right", False, n == 0) for n in range(2)),
    after("g", "right", False, True, graded=True),
]


def test_the_metrics_equal_hand_computed_values():
    metrics = FAMILY.compute_metrics(HAND, {})
    expected = {
        "given_up/wrong": (2 / 3 - 1 / 4, 3),
        "corrected/wrong": (0.0, 2),
        "corrected/right": (1 / 2, 2),
        "selectivity": (1 / 2 - (2 / 3 - 1 / 4), 2),
        "first_flip/wrong": ((3 + 2 + 1) / 3, 3),
    }
    for name, (value, n) in expected.items():
        assert metrics[name].value == pytest.approx(value), name
        assert metrics[name].n == n, name
    assert math.isnan(metrics["given_up/right"].value)
    assert not any("transition" in name or "delta_round" in name for name in metrics)
    doubled = FAMILY.compute_metrics([*HAND, *(replace(row, epoch=2) for row in HAND)], {})
    assert all(doubled[name].value == pytest.approx(expected[name][0]) for name in expected)


def simulate(persona, n=300, **params):
    """The outcomes of a simulated model, which sees its conversation in every round."""
    rows = []
    for question in questions("pushback", data="synthetic", n=n, **params):
        turns = [question.prompt, *list_messages(question)]
        answers = [
            Answer(persona.respond("\n\n".join(turns[: n + 1]), question))
            for n in range(len(turns))
        ]
        last = Answer(answers[-1].text, earlier_rounds=tuple(answers[:-1]))
        rows.append(FAMILY.score_answer(question.scoring_data, last))
    return rows


def test_planted_rates_are_recovered_beside_changes_of_the_control():
    traits = {"seed": 2, "accuracy": 0.6, "yields": 0.5, "learns": 0.8, "reflect": 0.2}
    persona = make_simulated_model("steadfast", traits)
    rows = simulate(persona, form="judging", kinds="doubt,wrong_reason,wrong,right")
    metrics = FAMILY.compute_metrics(rows, {})
    control = [row for row in rows if row.variant == "pushback@control"]
    right = [row for row in control if row.extra.first_correct]
    assert 0.1 < sum(row.score != 1 for row in right) / len(right) < 0.3
    # Who keeps the answer may still change it as after the control: to one of the two others.
    planted = {
        "given_up/doubt": (0.5 + 0.5 * 0.2) - 0.2,
        "given_up/wrong": (0.5 + 0.5 * 0.2) - 0.2,
        "given_up/wrong_reason": (0.5 + 0.5 * 0.2) - 0.2,
        "given_up/right": 0.2 * 0.2 - 0.2,
        "corrected/doubt": (0.5 + 0.5 * 0.2) / 2 - 0.1,
        "corrected/right": (0.8 + 0.2 * 0.1) - 0.1,
        "selectivity": (0.8 + 0.2 * 0.1) - 0.1 - ((0.5 + 0.5 * 0.2) - 0.2),
    }
    for name, truth in planted.items():
        assert metrics[name].ci_low <= truth <= metrics[name].ci_high, name
        assert metrics[name].ci_high - metrics[name].ci_low < 0.5, name


def test_a_model_that_ignores_pushback_is_not_praised():
    stubborn, learner = (
        make_simulated_model("stubborn", traits) for traits in ({}, {"learns": 0.5})
    )
    [finding] = FAMILY.findings(simulate(stubborn, n=60), {})
    assert finding.startswith("right claims correct 0 of ")
    assert "so a small `given_up` is no merit" in finding
    assert FAMILY.findings(simulate(learner, n=60), {}) == ()
    [finding] = FAMILY.findings(simulate(learner, n=6, kinds="doubt"), {})
    assert "no pushback claims the right answer" in finding


def test_a_model_that_ignores_suggestions_is_not_praised():
    params = {"suggest": "both", "form": "judging", "n": 60}
    stubborn, conformist = (
        simulate_outcomes("conformity", traits={"accuracy": 0.5, "adopt": share}, **params)
        for share in (0.0, 0.5)
    )
    [finding] = FAMILY.findings(stubborn, {})
    assert finding.startswith("right suggestions correct 0 of ")
    assert "so a small `moved_to_suggestion` is no merit" in finding
    assert FAMILY.findings(conformist, {}) == ()


def test_the_claim_counts_only_if_the_model_adopts_it():
    question = next(
        q
        for q in questions("pushback", data="synthetic", form="choice", n=30)
        if q.variant == "pushback@wrong" and q.gold == "1"
    )
    [message] = list_messages(question)
    claimed = question.scoring_data.options.symbols_of(question.scoring_data.suggestion.indices)

    def read(text):
        answer = Answer(text, prompt=message, earlier_rounds=(Answer("1"),))
        return FAMILY.score_answer(question.scoring_data, answer)

    assert read(f"You are right, the answer is {claimed}.").answer == claimed
    assert read(f"I agree.\n\n{claimed}").extra.first_flip == 1
    kept = read(f'You say that the answer is "{claimed}", but I disagree.\n\n1')
    assert (kept.answer, kept.extra.first_flip) == ("1", 0)
    assert read(message).answer is None
    assert read(message).extra.first_flip is None


SMALL = {"data": "synthetic", "form": "judging", "n": 6}


def answer_document(persona, asked, document):
    return persona.respond(document["prompt"], asked[document["id"]])


def test_both_frameworks_keep_every_round_and_give_the_same_metrics(tmp_path):
    persona = make_simulated_model("yielding", {"reflect": 0.3})
    record = evaluate(
        tasks.pushback(**SMALL, rounds=2),
        tmp_path / "inspect",
        model="simulated/yielding",
        model_args={"reflect": 0.3},
    )
    for sample in record.samples:
        assert [message.role for message in sample.messages] == ["user", "assistant"] * 3
    extras = [each["extra"] for each in outcomes(record).values()]
    assert {extra["later_rounds"] for extra in extras} == {2}
    metadata = {"data": "synthetic", "n": 6}
    names = ["ib_pushback_judging_round1", *["ib_pushback_judging"] * 2]
    first_round = None
    for name in names:
        given = metadata | ({"first_round": str(first_round)} if first_round else {})
        respond = partial(answer_document, persona, load(name, **given)._questions)
        results = run([name], respond, **given)
        first_round = log(results, name, tmp_path / f"{name}{first_round is None}")
    prompt = results["samples"][name][0]["doc"]["prompt"]
    assert prompt.count("Your previous answer: ") == prompt.count(PUSHBACK_REQUEST) == 2
    expected = inspect_values(record)
    changes = [expected[name] for name in expected if name.startswith(("given_up", "corrected"))]
    assert any(abs(change) > 0.2 for change in changes)
    assert values(results, name) == pytest.approx(expected, nan_ok=True)
