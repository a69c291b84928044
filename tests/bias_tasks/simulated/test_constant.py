"""Constant answers, whose outcomes are known for every family."""

import itertools
import json

from bias_tasks.contract.outcomes import Answer
from bias_tasks.families import load_family
from bias_tasks.simulated.persona import make_simulated_model

TASKS = {
    "vanilla": ("instruction_boundary", {"form": "choice", "n": 6}),
    "conformity": ("instruction_boundary", {"form": "judging", "n": 6}),
    "binaryqa": ("binary_qa", {"n": 4}),
    "format_mcq": ("output_format", {"n": 4}),
    "judge_pairwise": ("judge_bias", {"n": 3}),
    "judge_single": ("judge_bias", {"n": 3}),
    "complexeval_basic": ("complex_eval", {"n": 3}),
    "complexeval_writing": ("complex_eval", {"n": 1}),
    "complexeval_role_playing": ("complex_eval", {"n": 1}),
}


def outcomes(task, persona):
    """The outcomes of a persona's answers to a task's questions."""
    family, params = load_family(TASKS[task][0]), TASKS[task][1]
    plan = family.plan(task, family.tasks[task].values({"data": "synthetic", **params}))
    model = make_simulated_model(persona)
    for question in plan.questions:
        text = model.respond(question.prompt, question)
        yield family.score_answer(question.scoring_data, Answer(text, prompt=question.prompt))


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
    extras = [outcome.extra for outcome in outcomes("conformity", "suggestion")]
    assert {extra.at_suggestion for extra in extras[::2]} == {True}
