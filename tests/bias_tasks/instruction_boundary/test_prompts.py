"""Prompts of an item under each setting; corrected, word by word as in appendices I and J."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.outcomes import Answer
from bias_tasks.instruction_boundary.data.core import load_paper_examples, select_examples
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.prompts.render import (
    render_grader_prompt,
    render_next_round,
    render_question,
)
from bias_tasks.instruction_boundary.settings import (
    SETTINGS,
    SettingParams,
    parse_distractor_levels,
)
from tests.bias_tasks.builders import plan

PRINTED = yaml.safe_load(
    (Path(__file__).parent / "prompts_appendix.yaml").read_text(encoding="utf-8")
)
CHOICE = ChoiceItem("c", "Which are even?", ("2", "3", "4", "5"), (0, 2), "test", "c")
PASSAGE = replace(CHOICE, context="Some are odd.")
JUDGING = JudgingItem("j", "All cats {purr}.", "Tom purrs.", "Unknown", "t", "j")
NONE = ChoiceItem("n", "Which is even?", ("1", "3", "5"), (), "test", "n")
CORRECTED, PUBLISHED = SettingParams(), SettingParams(protocol="published")
EXAMPLE = JudgingItem("e", "It rains.", "It is wet.", "True", "t", "e")
TWICE = " Here is the example, you can learn from this: {}"
"""Appendix J names the example's slot a second time; corrected shows an example once."""
SLOTS = (JUDGING.question, JUDGING.context)


def words(text):
    return " ".join(text.split())


def same_words(prompts, expected):
    rendered, printed = (
        {name: words(text) for name, text in texts.items()} for texts in (prompts, expected)
    )
    assert rendered == printed


def options(lines):
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def choice(name, lines=PASSAGE.options, previous=""):
    """The printed choice prompt with PASSAGE's text in it."""
    return (
        PRINTED["choice"][name]
        .replace("{question}", PASSAGE.question)
        .replace("{passage_text}", PASSAGE.context)
        .replace("{options_text}", options(lines))
        .replace("{first_answer}", previous)
    )


def judging(name, *values):
    """The printed judging prompt with values in its slots, in their order."""
    text = PRINTED["judging"][name].strip().removesuffix(TWICE)
    assert text.count("{}") == len(values)
    for value in values:
        text = text.replace("{}", value, 1)
    return text


def test_choice_prompts_equal_the_printed_ones():
    prompts = {
        name: render_question(PASSAGE, name, CORRECTED, examples=load_paper_examples()).prompt
        for name in PRINTED["choice"].keys() - {"multi_turn_next", "missing_choices"}
    }
    expected = {name: choice(name) for name in prompts}
    prompts["multi_turn_next"] = render_next_round(PASSAGE, CORRECTED, "1, 3")
    expected["multi_turn_next"] = choice("multi_turn_next", previous="1, 3")
    missing = render_question(PASSAGE, "missing_choices", CORRECTED)
    kept = [PASSAGE.options[position] for position in missing.options.positions]
    assert len(kept) < 4
    prompts["missing_choices"] = missing.prompt
    expected["missing_choices"] = choice("missing_choices", kept)
    same_words(prompts, expected)


def test_judging_prompts_equal_the_printed_ones():
    params = SettingParams(suggest="True")
    names = PRINTED["judging"].keys() - {"few_shot", "multi_turn_next"}
    prompts = {name: render_question(JUDGING, name, params).prompt for name in names}
    expected = {name: judging(name, *SLOTS) for name in names}
    prompts["few_shot"] = render_question(JUDGING, "few_shot", CORRECTED, examples=[EXAMPLE]).prompt
    expected["few_shot"] = judging("few_shot", EXAMPLE.context, EXAMPLE.question, "1", *SLOTS)
    prompts["multi_turn_next"] = render_next_round(JUDGING, CORRECTED, "3")
    expected["multi_turn_next"] = judging("multi_turn_next", *SLOTS, "3")
    same_words(prompts, expected)


def test_every_setting_with_a_template_of_its_own_is_compared():
    """No appendix has disturbing miscellany, and appendix I has no self-reflection."""
    assert {*SETTINGS} - PRINTED["judging"].keys() == {"disturbing_miscellany"}
    assert {*SETTINGS} - PRINTED["choice"].keys() == {"disturbing_miscellany", "self_reflection"}


def test_options_count_from_one_and_published_options_are_as_printed():
    printed = ("0. 2", "1. 3", "2. 4", "3. 5")
    item = ChoiceItem("c", "Q", CHOICE.options, (0, 2), "test", "c", printed_options=printed)
    corrected, published = (
        render_question(item, "vanilla", params) for params in (CORRECTED, PUBLISHED)
    )
    assert "Options:\n1. 2\n2. 3\n3. 4\n4. 5\n" in corrected.prompt
    assert "Options:\n0. 2\n1. 3\n2. 4\n3. 5\n" in published.prompt
    assert (corrected.options.symbol(0), published.options.symbol(0)) == ("1", "0")
    for params, answer in ((CORRECTED, "1, 3"), (PUBLISHED, "0, 2")):
        question = SettingQuestion(item, "vanilla", "vanilla", params).to_question()
        assert FAMILY.score_visible_text(question.scoring_data, Answer(answer)).score == 1
    bare = render_question(CHOICE, "vanilla", PUBLISHED)
    assert "Options:\n2\n3\n4\n5\n" in bare.prompt
    assert "Facts:" not in bare.prompt
    offered = {setting: 3 for setting in SETTINGS if setting != "few_shot"}
    offered |= {"disturbing_miscellany": 5, "missing_choices": 2, "prompt_polishing": 2}
    assert {s: render_question(JUDGING, s, CORRECTED).n_options for s in offered} == offered
    prompt = render_question(JUDGING, "disturbing_miscellany", CORRECTED).prompt
    assert "inconclusive)\n4. All above are true\n5. All above are false\nNote:" in prompt
    assert prompt.endswith("(1, 2, 3, 4, or 5).")


def test_suggestions_of_each_kind():
    judging, choice = (render_question(item, "conformity", CORRECTED) for item in (JUDGING, CHOICE))
    assert (judging.suggestion.label, judging.suggestion.is_gold) == ("Unknown", True)
    assert choice.prompt.endswith("when making your decision.\nAnswer:")
    assert (choice.suggestion.label, choice.suggestion.is_gold) == ("none", False)
    for number, label in enumerate(LABELS["judging"], start=1):
        rendered = render_question(JUDGING, "conformity", SettingParams(suggest=label))
        assert rendered.prompt.endswith(f"The answer to this problem is {number}.")
        assert rendered.suggestion.is_gold == (label == "Unknown")
    baseline = render_question(JUDGING, "vanilla", CORRECTED, setting="conformity")
    assert baseline.suggestion is None
    assert "The answer to this problem" not in baseline.prompt
    for item in (JUDGING, CHOICE):
        by_seed = [SettingParams(seed=seed, suggest="rotate") for seed in range(50)]
        labels = {
            render_question(item, "conformity", params).suggestion.label for params in by_seed
        }
        assert labels == set(LABELS[item.form])


def test_a_suggestion_can_be_somebodys_opinion():
    opinion = SettingParams(suggestion="opinion")
    number = "In somebody's opinion, the answer to this problem is 3."
    assert render_question(JUDGING, "conformity", opinion).prompt.endswith(
        f"(1, 2, or 3). {number}"
    )
    none = "In somebody's opinion, none of the options is correct.\nAnswer:"
    assert render_question(CHOICE, "conformity", opinion).prompt.endswith(none)
    for item, suggest in ((JUDGING, "True"), (CHOICE, "single"), (CHOICE, "multiple")):
        texts = []
        for suggestion in ("expert", "opinion"):
            params = SettingParams(suggest=suggest, suggestion=suggestion)
            rendered = render_question(item, "conformity", params)
            texts.append((rendered.prompt, rendered.suggestion))
        (stated, first), (held, second) = texts
        assert first == second
        wording = "In somebody's opinion, the answer to this problem is"
        assert stated.replace("The answer to this problem is", wording) == held != stated


@given(st.integers(0, 10_000))
def test_suggested_options_are_wrong(seed):
    for item in (CHOICE, NONE):
        for suggest, size in (("single", 1), ("multiple", 2)):
            rendered = render_question(
                item, "conformity", SettingParams(seed=seed, suggest=suggest)
            )
            indices = rendered.suggestion.indices
            assert len(indices) == size
            assert indices != rendered.options.find_indices(item.answer)
            numbers = ", ".join(str(index + 1) for index in indices)
            assert f"The answer to this problem is {numbers}.\nAnswer:" in rendered.prompt
    for item in (JUDGING, CHOICE, NONE):
        params = SettingParams(seed=seed, suggest="wrong")
        assert not render_question(item, "conformity", params).suggestion.is_gold


def test_the_grader_prompt_has_the_symbols_of_the_options():
    rendered = render_question(CHOICE, "vanilla", CORRECTED)
    prompt = render_grader_prompt(rendered.options, rendered.n_options, "both")
    assert 'Selected option 4: respond "4"' in prompt
    assert 'respond in "1,2" format' in prompt
    assert "__PROVED__" in render_grader_prompt(None, 3, "yes")
    alone = render_question(NONE, "vanilla", PUBLISHED, setting="disturbing_miscellany")
    assert 'Selected option C: respond "C"' in render_grader_prompt(
        alone.options, alone.n_options, "C"
    )


def test_examples_of_each_label_set():
    def labels(form, examples, shots=1, protocol="corrected"):
        return [item.label for item in select_examples(form, examples, shots, 0, protocol)]

    for form, every in LABELS.items():
        for label in every:
            assert labels(form, label, shots=3) == [label] * 3
        assert labels(form, "balanced", shots=2) == [*every, *every]
    assert labels("judging", "sparse", protocol="published") == ["Unknown"]
    assert labels("judging", "tense") == ["True", "False"]
    assert labels("choice", "sparse") == ["multiple", "none"]
    assert labels("choice", "tense") == ["single"]
    [example] = select_examples("choice", "sparse", 1, 0, "published")
    assert example.question == "What is the color of the sky on Mars?"
    assert select_examples("judging", "True", 5, 0) != select_examples("judging", "True", 5, 1)


def test_invalid_parameters_are_named():
    for task, name in (("conformity", "suggest"), ("few_shot", "example_labels")):
        values = {"data": "synthetic", "n": 2, name: "True"}
        with pytest.raises(ValueError, match="run it with form=judging"):
            plan(task, **values)
        assert plan(task, **values, form="judging").questions
    expected = {9: (9,), "3": (3,), "all": tuple(range(1, 10)), "1, 5,9": (1, 5, 9)}
    assert {value: parse_distractor_levels(value) for value in expected} == expected
    assert parse_distractor_levels([9, 1, 1]) == (1, 9)
    for wrong in (0, 10, True, "", [], "some", "1;2", [1, "all"], ["1.5"], -1):
        with pytest.raises(ValueError, match=r"distractors=.*from 1 to 9, separated by commas"):
            parse_distractor_levels(wrong)
