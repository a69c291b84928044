"""What an answer came to is plain, the same in both hosts, and all that figures are made from."""

import json
import math
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.family import Answer, Outcome
from bias_tasks.record import FIGURES
from bias_tasks.results.answers import read_answers
from bias_tasks.results.every_figure import with_every_figure
from tests.bias_tasks.contract.runs import SPECS, small
from tests.bias_tasks.contract.runs import inspect_task as made
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.mocks import mock

TASKS = [f"{family}/{spec.name}" for family, spec in SPECS]
TEXTS = (
    *("", " \n", "I can't help with that.", "Who knows?", "7", "Yes", "No", "**Unknown**", "[["),
    *("Final Answer: True", "Final Answer: 1, 3", "the answer is \\boxed{2}", "No correct answer"),
    *('{"score": 7}', '{"score": 11}', '{"first_error": 1}', '{"flaws": []}', "<ANSWER>4</ANSWER>"),
    *('```json\n{"score": 3}\n```', "- one\n- two", "é ₂ 🙂 \u2028", "\x00", "x" * 5000),
)
STOPS = (None, "stop", "cut", "refused")
FLAW = {"dimension": "Character Fidelity", "severity": 3, "quote": "is so"}
HOSTS = {
    "instruction_boundary/conformity": (
        "ib_conformity_judging",
        {"data": "synthetic", "n": 4},
        {"form": "judging"},
        ("Final Answer: True", "Final Answer: False", "Final Answer: Unknown"),
    ),
    "binary_qa/binaryqa": ("binaryqa", {"data": "synthetic", "n": 4}, {}, ("Yes", "No")),
    "output_format/format_wrapping": (
        "format_wrapping_synthetic",
        {"n": 3, "moe": 0.2},
        {"dataset": "synthetic"},
        ("**4**", "*12*", "[[30]]", "((4))", "<ANSWER>4</ANSWER>", '"""7"""'),
    ),
    "complex_eval/complexeval_basic": (
        "complexeval_basic",
        {"data": "synthetic", "n": 2, "theta": 1},
        {},
        [json.dumps({"score": score}) for score in range(1, 11)],
    ),
    "complex_eval/complexeval_attention_limit": (
        "complexeval_attention_limit",
        {"n": 3, "k": "0,3"},
        {},
        [json.dumps({"flaws": [FLAW] * number}) for number in range(4)],
    ),
}
"""Tasks of each family in Inspect: the name in lm-eval, parameters of both, those of Inspect alone,
and sensible answers."""


def planned(name, **given):
    family, _, task = name.partition("/")
    brought = load_family(family)
    spec = brought.tasks[task]
    return brought, brought.plan(task, spec.values(small(name, 2) | given))


def some_text(prompt, sensible=()):
    """One of the sensible texts, or every third time one of all, as the prompt's hash says."""
    number = int(sha256(prompt.encode()).hexdigest(), 16)
    texts = TEXTS if number % 3 == 0 or not sensible else sensible
    return texts[number // 3 % len(texts)]


@pytest.mark.parametrize("name", TASKS)
def test_an_outcome_goes_through_json_and_back(name):
    family, plan = planned(name)
    questions = plan.questions[:12]
    found = [
        family.read(question.facts, Answer(text, stop, epoch=epoch))
        for question in questions
        for text in (*TEXTS, question.gold, f"Final Answer: {question.gold}")
        for stop, epoch in ((None, 1), ("cut", 2), ("refused", 3))
    ]
    found += [family.outcome_with_all_figures(question.facts) for question in questions]
    for outcome in found:
        text = json.dumps(outcome.to_dict(), allow_nan=False)
        assert Outcome.from_dict(json.loads(text)) == outcome
    assert any(outcome.answer is None for outcome in found)
    assert {outcome.epoch for outcome in found} == {1, 2, 3}


def test_outcomes_of_likelihoods_go_through_json_and_back():
    brought = load_family("binary_qa")
    plan = brought.plan(
        "binaryqa", brought.tasks["binaryqa"].values(small("binary_qa/binaryqa")), likelihoods=True
    )
    pairs = ((-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0), (-math.inf, -1.0))
    for question in plan.questions:
        for pair in pairs:
            outcome = brought.read(question.facts, Answer(likelihoods=pair))
            row = json.loads(json.dumps(outcome.to_dict(), allow_nan=False))
            assert Outcome.from_dict(row) == outcome
            assert outcome.answer == (
                None if pair[0] == pair[1] else ("Yes", "No")[pair[0] < pair[1]]
            )


def test_a_row_that_lacks_a_value_is_no_outcome():
    row = Outcome("i", "c", "v", None, None, None, "unread").to_dict()
    for name in row:
        with pytest.raises(KeyError, match=name):
            Outcome.from_dict({each: value for each, value in row.items() if each != name})


@pytest.mark.parametrize("name", TASKS)
def test_facts_come_back_from_json_as_they_were(name):
    _, plan = planned(name)
    for question in plan.questions:
        assert json.loads(json.dumps(question.facts, allow_nan=False)) == question.facts


@pytest.mark.parametrize("name", TASKS)
def test_what_is_said_of_a_question_stands_in_its_outcome(name):
    family, plan = planned(name)
    for question in plan.questions[:12]:
        plain = json.loads(json.dumps(question.facts, allow_nan=False))
        for text in ("", "7", question.gold):
            answer = Answer(text)
            assert family.read(plain, answer) == family.read(question.facts, answer)
        assert question.id == f"{question.item}/{question.variant}"
        outcome = family.read(question.facts, Answer())
        said = (outcome.item, outcome.cluster, outcome.variant)
        assert said == (question.item, question.cluster, question.variant)
        gold = question.facts["gold"]
        assert outcome.gold == (None if gold is None else str(gold))
        assert outcome.answer is None
        assert outcome.reason
        assert outcome.why


@pytest.mark.parametrize("name", TASKS)
def test_why_an_answer_ended_changes_nothing_but_the_reason_where_it_was_whole(name):
    """A host that does not say why it ended gets what one that says `stop` gets."""
    family, plan = planned(name)
    for question in plan.questions[:6]:
        for text in TEXTS:
            silent, told = (
                family.read(question.facts, Answer(text, stop)) for stop in (None, "stop")
            )
            assert silent == told
            refused = family.read(question.facts, Answer(text, "refused"))
            assert replace(refused, reason=None) == replace(told, reason=None)
            if told.answer is None and told.reason is not None:
                assert refused.reason == "refusal"


def in_inspect(name, folder):
    _, both, own, sensible = HOSTS[name]
    [done] = inspect_eval(
        made(name, **both, **own),
        model=mock(lambda prompt: some_text(prompt, sensible)),
        log_dir=str(folder),
        display="none",
        score_display=False,
    )
    assert done.status == "success", done.error
    return done


def in_lm_eval(name, folder):
    task, both, _, sensible = HOSTS[name]
    results = run([task], lambda doc: some_text(doc["prompt"], sensible), **both)
    log(results, task, folder)
    return next(Path(folder).rglob("results_*.json"))


@pytest.fixture(scope="module", params=HOSTS)
def both(request, tmp_path_factory):
    """The name of a task, and its answers as they are read from both hosts' files."""
    folder = tmp_path_factory.mktemp("runs")
    [inspect_run] = read_answers(Path(in_inspect(request.param, folder).location))
    [harness_run] = read_answers(in_lm_eval(request.param, folder / "lm_eval"))
    return request.param, inspect_run, harness_run


def test_figures_can_be_worked_out_anew_from_either_log(both):
    name, *runs = both
    family, _, task = name.partition("/")
    brought = load_family(family)
    for finished in runs:
        assert finished.unscored == 0
        options = brought.tasks[task].for_figures(finished.run.record["parameters"])
        card = brought.scorecard(finished.outcomes(), options)
        logged = {each.name: each for each in finished.run.metrics}
        for name in set(logged) - set(card):  # lm-eval lists its figures before it asks
            assert finished.run.host == "lm-eval"
            assert (math.isnan(logged[name].value), logged[name].n) == (True, 0)
        assert finished.run.host == "inspect" or set(card) <= set(logged)
        again = {each.name: each for each in with_every_figure(finished.run).metrics}
        for figure, estimate in card.items():
            found = again[figure]
            assert [found.value, found.ci_low, found.ci_high, found.n] == pytest.approx(
                [estimate.value, estimate.ci_low, estimate.ci_high, estimate.n],
                abs=1e-12,
                nan_ok=True,
            )
            if figure in logged:
                assert logged[figure].value == pytest.approx(estimate.value, nan_ok=True)
        assert finished.run.n == card["items"].value


def test_both_hosts_make_the_same_of_the_same_text(both):
    _, *runs = both
    in_inspect, in_harness = (
        {f"{each.outcome.item}/{each.outcome.variant}": each for each in finished.answers}
        for finished in runs
    )
    assert len(in_inspect) == len(runs[0].answers)
    assert list(in_harness) == [
        f"{each.outcome.item}/{each.outcome.variant}" for each in runs[1].answers
    ]
    assert set(in_inspect) == set(in_harness)
    for identifier, answered in in_inspect.items():
        other = in_harness[identifier]
        assert answered.outcome == other.outcome
        assert {n: answered.facts[n] for n in other.facts} == other.facts
    unread = [each for each in in_inspect.values() if each.outcome.answer is None]
    assert 0 < len(unread) < len(in_inspect)


def test_both_hosts_say_the_same_of_a_run(both):
    _, in_inspect, in_harness = both
    ours, theirs = (dict(finished.run.record) for finished in (in_inspect, in_harness))
    given, more = ours.pop("parameters"), theirs.pop("parameters")
    assert theirs.pop(FIGURES)  # which the harness has no other place for
    assert ours == theirs
    assert {name: more[name] for name in given} == given


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_no_outcomes_have_no_figures(family):
    assert load_family(family).scorecard([], {}) == {}


@pytest.mark.parametrize("name", TASKS)
def test_the_order_of_outcomes_makes_no_difference(name):
    family, plan = planned(name)
    found = [
        family.read(question.facts, Answer(some_text(f"{epoch}{question.prompt}"), epoch=epoch))
        for question in plan.questions
        for epoch in (1, 2)
    ]
    one, other = family.scorecard(found, {}), family.scorecard(found[::-1], {})
    assert set(one) == set(other)
    for figure, estimate in one.items():
        assert estimate.value == pytest.approx(other[figure].value, abs=1e-9, nan_ok=True), figure
        assert estimate.n == other[figure].n
