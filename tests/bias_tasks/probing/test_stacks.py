"""Stacked probes: several edits of one prompt, in their order, under one variant."""

import pytest

from bias_tasks.probing.answers import normalize_answer, restore_task_form
from bias_tasks.probing.displayed_options import OptionStyle
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.placement import (
    OTHER_LABELS,
    ProbePlacementError,
    check_prompt,
    finish_prompt,
)
from bias_tasks.probing.probes import select_probes
from tests.bias_tasks.probing.outcomes import planned

CHOICE = ProbedItem("q", "Which of these is a river?", ("Rhine", "Alps", "Paris"), (0,), "A")
FREE = ProbedItem("f", "Is the moon a satellite of the earth?", target="yes")
REFUSED = {
    "typo+typo": "typo is in it twice",
    "paraphrase+language": "paraphrase and language both come first: choose one",
    "paraphrase+typo+paraphrase": "paraphrase is in it twice",
    "suggest+pushback": "suggest and pushback both come last: choose one",
    "suggest+order": "suggest must come after order: write order+suggest",
    "pushback+typo+order": "write typo+order+pushback",
    "few_shot+order": "write order+few_shot",
    "typo+paraphrase": "write paraphrase+typo",
    "polish+typo": "polish could undo other probes: run it alone",
    "typo+polish": "polish could undo other probes: run it alone",
}


def perturbations(probes, items=(CHOICE,), **values):
    """Return the perturbations of the first item by variant."""
    plan = planned([*items], probes, repeats=1, **values)
    return {q.variant: q.perturbation for q in plan.questions if q.item == items[0].id}


def test_stacks_that_make_no_sense_are_refused():
    for stack, sentence in REFUSED.items():
        with pytest.raises(ValueError, match="is not possible") as error:
            select_probes(stack, {("q", "language"): None})
        assert sentence in str(error.value), stack
    for bad in ("typo+", "typo+persna", "+"):
        with pytest.raises(ValueError, match="or joined by \\+"):
            planned([CHOICE], bad)
    with pytest.raises(ValueError, match="format needs a written answer"):
        select_probes("typo+format", {}, likelihoods=True)
    with pytest.raises(ValueError, match="run it in Inspect"):
        select_probes("typo+reflect", {}, single_call=True)


def test_a_stack_makes_the_edits_of_its_probes():
    probes = "typo,persona,format,typo+persona,persona+typo,typo+persona+format"
    for seed in range(5):
        made = perturbations(probes, seed=seed)
        both = Perturbation(text=made["typo"].text, system=made["persona"].system)
        assert made["typo+persona"] == made["persona+typo"] == both
        assert made["typo+persona+format"].suffix == made["format"].suffix
    made = perturbations("system,persona,system+persona")
    assert made["system+persona"].system.split("\n\n") == [
        made["system"].system,
        made["persona"].system,
    ]
    once, distracted = (
        perturbations(stack)[stack].text for stack in ("distract+typo", "typo+distract")
    )
    assert once != distracted  # either the statement or the question may have the typo
    assert len(once.split(". ")) == len(distracted.split(". ")) == 2
    styled = perturbations("labels,separator,labels+separator")
    assert styled["labels+separator"].option_style == OptionStyle(
        labels=styled["labels"].option_style.labels,
        mark=styled["separator"].option_style.mark,
        separator=styled["separator"].option_style.separator,
    )


def test_a_later_probe_gets_the_item_as_the_earlier_ones_display_it():
    for seed in range(20):
        made = perturbations("order,order+suggest,order+labels+suggest,labels+pushback", seed=seed)
        order = made["order"].order
        stacked = made["order+labels+suggest"]
        assert made["order+suggest"].order == stacked.order == order
        for variant, labels in (
            ("order+suggest", "ABC"),
            ("order+labels+suggest", stacked.option_style.labels),
        ):
            label = made[variant].suffix.removeprefix("The answer to this problem is ")[:-1]
            assert order[[*labels].index(label)] != 0, "the suggested choice is the correct one"
        labels = made["labels+pushback"].option_style.labels
        assert any(f'"{label}"' in made["labels+pushback"].follow_up for label in labels[1:3])


def test_a_stack_skips_items_to_which_one_of_its_probes_does_not_apply():
    plan = planned([CHOICE, FREE], "order+typo,typo", repeats=1)
    assert [q.variant for q in plan.questions if q.item == "f"] == ["baseline", "repeat1", "typo"]
    assert plan.notes == ("skipped, of 2 items: order+typo for 1 (its prompt displays no choices)",)
    # A typo in "translate" must not hide that the item asks about its own text.
    about_text = ProbedItem("t", "please translate this sentence", target="x")
    assert "typo+distract" not in perturbations("typo,typo+distract", [about_text])


def test_answers_are_read_under_all_edits_of_a_stack():
    labels = ("P", "Q", "R")
    both = Perturbation(
        order=(2, 0, 1), option_style=OptionStyle(labels=labels), format="character"
    )
    data = CHOICE.to_data("order+labels+format", both)
    shown = "Which?\nA) Paris\nB) Rhine\nC) Alps"
    assert check_prompt(data, shown, shown) == ("A", "B", "C")
    assert finish_prompt(both, shown, 3) == "Which?\nP) Paris\nQ) Rhine\nR) Alps"
    restored = restore_task_form(data, "Q", ("A", "B", "C"), "ANSWER:")
    assert restored == "ANSWER: B"
    assert normalize_answer(data, "B", ("A", "B", "C")) == "#0"
    suggested = CHOICE.to_data("typo+suggest", Perturbation(text="Which?", suffix="It is 1."))
    numbered = "Which?\n1. Rhine\n2. Alps\n3. Paris"
    with pytest.raises(ProbePlacementError, match=OTHER_LABELS):
        check_prompt(suggested, numbered, numbered)
