"""What each prompt asks for is what its parser expects: labels, numbers, literals, scales."""

import re

import pytest

from bias_tasks.binary_qa.family import ANSWER_FORM
from bias_tasks.complex_eval.outcomes import build_answer_form as judge_form
from bias_tasks.families import load_family
from bias_tasks.instruction_boundary.family import build_answer_form
from bias_tasks.judge_bias.outcomes import SCORE_FORM, VERDICT_FORM
from tests.bias_tasks.contract.runs import small

BOUNDARY = load_family("instruction_boundary")
SETTINGS = [name for name in BOUNDARY.tasks if name != "instruction_boundary"]
# Pushback is this package's: it has no published protocol.
ASKED = [
    (name, protocol)
    for name in SETTINGS
    for protocol in ("corrected", "published")
    if (name, protocol) != ("pushback", "published")
]


def questions(family, task, **values):
    """A few questions of a task."""
    brought = load_family(family)
    parameters = brought.tasks[task].values(small(f"{family}/{task}") | values)
    return brought.plan(task, parameters).questions


@pytest.mark.parametrize(("setting", "protocol"), ASKED)
def test_choices_of_every_setting(setting, protocol):
    for question in questions(
        "instruction_boundary", setting, form="choice", data="core", protocol=protocol, n=3
    ):
        form, prompt = build_answer_form(question.scoring_data), question.prompt
        for literal in re.findall(r'Respond with "([^"\n]+)"', prompt):
            assert literal in form.none_literals
            assert form.parse(literal).label == "none"
        letters = form.option_labels == "letters"
        for position in range(form.n_options):
            label = chr(65 + position) if letters else str(form.first_number + position)
            assert re.search(rf"(?m)^{label}\. ", prompt) or protocol == "published", (
                label,
                prompt,
            )
            assert form.parse(label).options == (position,)
            assert form.parse(f"Answer: {label}").options == (position,)
        for example in re.findall(r'numbers separated by commas \(e\.g\., "([\d, ]+)"\)', prompt):
            assert form.parse(example).label == "multiple" or form.n_options < 4


@pytest.mark.parametrize(("setting", "protocol"), ASKED)
def test_judgements_of_every_setting(setting, protocol):
    for question in questions(
        "instruction_boundary", setting, form="judging", data="core", protocol=protocol, n=3
    ):
        form = build_answer_form(question.scoring_data)
        for number, label in enumerate(form.allowed_labels, start=1):
            assert form.parse(str(number)).label == label
            # Vagueness shows no texts of the options.
            for line in re.findall(rf"(?m)^({number}\. There is [^\n]+)", question.prompt):
                assert form.parse(line).label == label
        beyond = len(form.allowed_labels) + 1
        assert form.parse(str(beyond)).label is None
        assert form.parse("[]", prompt=question.prompt).label is None


def test_yes_and_no():
    for question in questions("binary_qa", "binaryqa"):
        for word in re.findall(r"following answers: (\w+)/(\w+)", question.prompt)[0]:
            assert ANSWER_FORM.parse(word).label == word


def test_verdicts_and_scores():
    for question in questions("judge_bias", "judge_pairwise"):
        lines = re.findall(r"(?m)^Verdict: (\w+)$", question.prompt)
        assert [VERDICT_FORM.parse(f"Verdict: {word}").label for word in lines] == lines
    for question in questions("judge_bias", "judge_single"):
        low, high = re.findall(r"Score: <number from (\d+) to (\d+)>", question.prompt)[0]
        assert SCORE_FORM.scale == (float(low), float(high))
        assert SCORE_FORM.parse(f"Score: {low}.5").value == float(low) + 0.5


ANSWERS = {
    "basic": ('{"reasoning": "It {may} be 3: so", "score": 7}', lambda form: 7),
    "math": ('{"reasoning": "Step 1 is right.", "first_error": 1}', lambda form: 1),
    "role_playing": ('{"reasoning": "", "flaws": []}', lambda form: ()),
    "creative_writing": ("", lambda form: dict.fromkeys(form.criteria, 6.5)),
}


@pytest.mark.parametrize(
    "task",
    ["complexeval_basic", "complexeval_math", "complexeval_role_playing", "complexeval_writing"],
)
def test_the_objects_that_judges_are_asked_for(task):
    for question in questions("complex_eval", task)[:3]:
        form = judge_form(question.scoring_data)
        text, expected = ANSWERS[question.scoring_data.form.family]
        if not text:
            fields = ", ".join(f'"{name}": 6.5' for name in form.criteria)
            text = f'{{"reasoning": "well", "scores": {{{fields}}}}}'
        keys = re.findall(r'"(\w+)":', text)
        assert all(f'"{key}"' in question.prompt for key in keys if key not in form.criteria)
        assert form.parse(text).value == expected(form)
        copied = question.prompt.strip().splitlines()[-1]
        assert form.parse(copied).label is None or form.name == "flaws"
