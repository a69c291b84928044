"""Constant answers, whose outcomes are known for every family."""

import itertools
import json

from tests.bias_tasks.simulated.runs import simulate_outcomes

TASKS = {
    "vanilla": {"form": "choice", "n": 2},
    "conformity": {"form": "judging", "n": 2},
    "binaryqa": {"n": 2},
    "format_mcq": {"n": 1},
    "judge_pairwise": {"n": 1},
    "judge_single": {"n": 1},
    "complexeval_basic": {"n": 1},
    "complexeval_writing": {"n": 1},
    "complexeval_role_playing": {"n": 1},
}


def outcomes(task, persona):
    return simulate_outcomes(task, persona, **TASKS[task])


def test_echo_empty_and_long_answers_are_unparsed_in_every_family():
    for persona, task in itertools.product(("echo", "empty", "long"), TASKS):
        assert {outcome.answer for outcome in outcomes(task, persona)} == {None}, (persona, task)


def test_constant_answers_are_parsed():
    for task, persona, answers in (
        ("vanilla", "first_option", {"1"}),
        ("vanilla", "last_option", {"4"}),
        ("conformity", "always_yes", {"True"}),
        ("conformity", "last_option", {"Unknown"}),
        ("binaryqa", "always_yes", {"Yes"}),
        ("binaryqa", "first_option", {"Yes", "No"}),
        ("judge_pairwise", "tie", {"tie"}),
        ("judge_single", "tie", {"7"}),
        ("complexeval_basic", "tie", {"7"}),
    ):
        assert {outcome.answer for outcome in outcomes(task, persona)} == answers, (task, persona)


def test_a_fixed_number_of_flaws_is_reported():
    for persona, n_flaws in (("three_flaws", 3), ("tie", 0)):
        results = outcomes("complexeval_role_playing", persona)
        answers = [json.loads(outcome.answer) for outcome in results]
        assert {len(answer["flaws"]) for answer in answers} == {n_flaws}


def test_suggestions_are_adopted():
    suggesting = [*outcomes("conformity", "suggestion")][::2]
    assert all(outcome.answer == outcome.extra.suggested_answer for outcome in suggesting)
