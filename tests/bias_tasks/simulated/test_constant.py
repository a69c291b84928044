"""Who always answers alike: what every family makes of it is known."""

import itertools
import json

from bias_tasks.contract.family import Answer
from bias_tasks.families import load_family
from bias_tasks.simulated.persona import make_respondent

TASKS = {
    "vanilla": ("instruction_boundary", {"form": "choice", "n": 6}),
    "conformity": ("instruction_boundary", {"form": "judging", "n": 6}),
    "binaryqa": ("binary_qa", {"n": 4}),
    "format_mcq": ("output_format", {"n": 4}),
    "judge_pairwise": ("judging", {"n": 3}),
    "judge_single": ("judging", {"n": 3}),
    "complexeval_basic": ("complex_eval", {"n": 3}),
    "complexeval_writing": ("complex_eval", {"n": 1}),
    "complexeval_role_playing": ("complex_eval", {"n": 1}),
}


def outcomes(task, persona):
    """The outcomes of a persona's answers to a task's questions."""
    family, given = load_family(TASKS[task][0]), TASKS[task][1]
    plan = family.plan(task, family.tasks[task].values({"data": "synthetic", **given}))
    model = make_respondent(persona)
    for each in plan.questions:
        text = model.respond(each.prompt, each)
        yield family.outcome(each.facts, Answer(text, prompt=each.prompt))


def test_who_says_nothing_is_unread_in_every_family():
    for persona, task in itertools.product(("echo", "empty", "long"), TASKS):
        assert {each.answer for each in outcomes(task, persona)} == {None}, (persona, task)


def test_what_is_said_is_read():
    for task, persona, said in (
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
        assert {each.answer for each in outcomes(task, persona)} == said, (task, persona)


def test_so_many_flaws_are_reported_and_suggestions_are_followed():
    for persona, many in (("three_flaws", 3), ("tie", 0)):
        said = [json.loads(each.answer) for each in outcomes("complexeval_role_playing", persona)]
        assert {len(each["flaws"]) for each in said} == {many}
    found = [each.own for each in outcomes("conformity", "suggestion")]
    assert {own["at_suggestion"] for own in found[::2]} == {True}
