"""Which worked examples few_shot shows: any label alone, as in appendix F, and groups of labels."""

import pytest

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, JUDGING_LABELS
from bias_tasks.instruction_boundary.prompts.few_shot import few_shot_examples
from tests.bias_tasks.harness_runs import gold, run


def labels(form, examples, shots=1, protocol="corrected"):
    return [item.label for item in few_shot_examples(form, examples, shots, 0, protocol)]


@pytest.mark.parametrize(
    ("form", "label"),
    [*(("judging", x) for x in JUDGING_LABELS), *(("choice", x) for x in CHOICE_LABELS)],
)
def test_one_example_of_one_label(form, label):
    assert labels(form, label) == [label]
    assert labels(form, label, shots=3) == [label] * 3


@pytest.mark.parametrize(
    ("form", "examples", "expected"),
    [
        ("judging", "sparse", ["Unknown"]),
        ("judging", "tense", ["True", "False"]),
        ("judging", "balanced", ["True", "False", "Unknown"]),
        ("choice", "sparse", ["multiple", "none"]),
        ("choice", "tense", ["single"]),
        ("choice", "balanced", ["single", "multiple", "none"]),
    ],
)
def test_groups_of_labels(form, examples, expected):
    assert labels(form, examples) == expected


def test_the_one_example_of_the_public_code():
    [example] = few_shot_examples("choice", "sparse", 1, 0, "published")
    assert example.question == "What is the color of the sky on Mars?"
    assert labels("judging", "sparse", protocol="published") == ["Unknown"]


def plan(task="few_shot", **given):
    return FAMILY.plan(task, FAMILY.tasks[task].values({"data": "synthetic", "n": 2, **given}))


def test_a_single_label_stands_alone_in_the_prompt():
    for form, label, answer in (("judging", "False", "2"), ("choice", "none", "No correct answer")):
        question = plan(form=form, examples=label).questions[0]
        examples = question.prompt.partition("\n\nNow, ")[0]
        assert examples.count("Example ") == 1
        assert examples.endswith(f"Answer: {answer}")


@pytest.mark.parametrize("task", ["few_shot", "instruction_boundary"])
@pytest.mark.parametrize(("form", "label"), [("choice", "True"), ("judging", "none")])
def test_a_label_of_the_other_form_is_refused(task, form, label):
    with pytest.raises(ValueError, match=f"examples={label} is a label of the "):
        plan(task, form=form, examples=label)


def test_a_label_that_the_command_line_turns_into_a_truth_value():
    """`-T examples=True` arrives as a boolean."""
    question = plan(form="judging", examples=True).questions[0]
    assert "\nAnswer: 1\n\nNow, " in question.prompt


def test_single_labels_reach_the_harness():
    task = "ib_few_shot_judging"
    results = run([task], gold, data="synthetic", n=3, examples="Unknown", paired=False)
    prompts = [sample["arguments"][0][0] for sample in results["samples"][task]]
    assert all(prompt.count("\nAnswer: 3\n\nNow, ") == 1 for prompt in prompts)
