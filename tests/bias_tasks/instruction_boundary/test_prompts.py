"""How an item is asked under each setting; corrected, word by word as in appendices I and J."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.family import Answer
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.prompts.ask import ask, ask_again, judge_prompt
from bias_tasks.instruction_boundary.prompts.few_shot import few_shot_examples, paper_examples
from bias_tasks.instruction_boundary.settings import SETTINGS, SettingParams, distractor_levels

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
    found, printed = ({n: words(text) for n, text in each.items()} for each in (prompts, expected))
    assert found == printed


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


def test_choice_prompts_are_those_printed():
    prompts = {
        name: ask(PASSAGE, name, CORRECTED, examples=paper_examples()).prompt
        for name in PRINTED["choice"].keys() - {"multi_turn_next", "missing_choices"}
    }
    expected = {name: choice(name) for name in prompts}
    prompts["multi_turn_next"] = ask_again(PASSAGE, CORRECTED, "1, 3")
    expected["multi_turn_next"] = choice("multi_turn_next", previous="1, 3")
    missing = ask(PASSAGE, "missing_choices", CORRECTED)
    kept = [PASSAGE.options[place] for place in missing.shown.positions]
    assert len(kept) < 4
    prompts["missing_choices"] = missing.prompt
    expected["missing_choices"] = choice("missing_choices", kept)
    same_words(prompts, expected)


def test_judging_prompts_are_those_printed():
    plain = ("vanilla", "vagueness", "missing_choices", "prompt_polishing", "self_reflection")
    params = SettingParams(suggest="True")
    names = (*plain, "multi_turn", "conformity")
    prompts = {name: ask(JUDGING, name, params).prompt for name in names}
    expected = {name: judging(name, *SLOTS) for name in names}
    prompts["few_shot"] = ask(JUDGING, "few_shot", CORRECTED, examples=[EXAMPLE]).prompt
    expected["few_shot"] = judging("few_shot", EXAMPLE.context, EXAMPLE.question, "1", *SLOTS)
    prompts["multi_turn_next"] = ask_again(JUDGING, CORRECTED, "3")
    expected["multi_turn_next"] = judging("multi_turn_next", *SLOTS, "3")
    same_words(prompts, expected)
    assert {*SETTINGS} - set(PRINTED["judging"]) == {"disturbing_miscellany"}  # it has no template


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_self_reflection_of_choices_is_vanilla_with_the_four_steps(protocol):
    """Ours: appendix I has none, and appendix J leaves out the third question of the guidance."""
    prompt = ask(PASSAGE, "self_reflection", SettingParams(protocol=protocol)).prompt
    lines = PASSAGE.options if protocol == "published" else options(PASSAGE.options).split("\n")
    third = (
        "- Are the facts insufficient or ambiguous to make a clear determination for some options?"
    )
    vanilla = choice("vanilla").replace(f"{third}\n", "").strip().removesuffix("Answer:")
    vanilla = vanilla.replace(options(PASSAGE.options), "\n".join(lines))
    assert prompt.startswith(vanilla)
    assert words(prompt.removeprefix(vanilla)) == words(
        """IMPORTANT: Please provide a detailed reasoning process before giving your final answer.
        Your response should include:
        1. Step-by-step analysis of the information and its logical implications
        2. Evidence evaluation - what supports or contradicts each option
        3. Logical reasoning - how you connect the information to your choice
        4. Final decision - your chosen option number(s) with brief justification
        Please structure your response as: Reasoning Process [Your detailed analysis here]
        Final Answer [Your final choice here]"""
    )


def test_options_count_from_one_and_published_stand_as_printed():
    printed = ("0. 2", "1. 3", "2. 4", "3. 5")
    item = ChoiceItem("c", "Q", CHOICE.options, (0, 2), "test", "c", printed_options=printed)
    corrected, published = (ask(item, "vanilla", each) for each in (CORRECTED, PUBLISHED))
    assert "Options:\n1. 2\n2. 3\n3. 4\n4. 5\n" in corrected.prompt
    assert "Options:\n0. 2\n1. 3\n2. 4\n3. 5\n" in published.prompt
    assert (corrected.shown.symbol(0), published.shown.symbol(0)) == ("1", "0")
    for params, said in ((CORRECTED, "1, 3"), (PUBLISHED, "0, 2")):
        asked = SettingQuestion(item, "vanilla", "vanilla", params).to_question()
        assert FAMILY.read(asked.facts, Answer(said)).score == 1
    bare = ask(CHOICE, "vanilla", PUBLISHED)
    assert "Options:\n2\n3\n4\n5\n" in bare.prompt
    assert "Facts:" not in bare.prompt
    offered = {setting: 3 for setting in SETTINGS if setting != "few_shot"}
    offered |= {"disturbing_miscellany": 5, "missing_choices": 2, "prompt_polishing": 2}
    assert {s: ask(JUDGING, s, CORRECTED).n_options for s in offered} == offered
    prompt = ask(JUDGING, "disturbing_miscellany", CORRECTED).prompt
    assert "inconclusive)\n4. All above are true\n5. All above are false\nNote:" in prompt
    assert prompt.endswith("(1, 2, 3, 4, or 5).")


def test_what_is_suggested():
    judging, choice = (ask(item, "conformity", CORRECTED) for item in (JUDGING, CHOICE))
    assert (judging.suggestion.label, judging.suggestion.is_gold) == ("Unknown", True)
    assert choice.prompt.endswith("when making your decision.\nAnswer:")
    assert (choice.suggestion.label, choice.suggestion.is_gold) == ("none", False)
    for number, label in enumerate(LABELS["judging"], start=1):
        asked = ask(JUDGING, "conformity", SettingParams(suggest=label))
        assert asked.prompt.endswith(f"The answer to this problem is {number}.")
        assert asked.suggestion.is_gold == (label == "Unknown")
    twin = ask(JUDGING, "vanilla", CORRECTED, setting="conformity")
    assert twin.suggestion == judging.suggestion
    assert "The answer to this problem" not in twin.prompt
    for item in (JUDGING, CHOICE):
        drawn = [SettingParams(seed=seed, suggest="rotate") for seed in range(50)]
        labels = {ask(item, "conformity", params).suggestion.label for params in drawn}
        assert labels == set(LABELS[item.form])


@given(st.integers(0, 10_000))
def test_suggested_options_are_wrong(seed):
    for item in (CHOICE, NONE):
        for suggest, size in (("single", 1), ("multiple", 2)):
            asked = ask(item, "conformity", SettingParams(seed=seed, suggest=suggest))
            places = asked.suggestion.places
            assert len(places) == size
            assert places != asked.shown.places(item.answer)
            numbers = ", ".join(str(place + 1) for place in places)
            assert f"The answer to this problem is {numbers}.\nAnswer:" in asked.prompt
    for item in (JUDGING, CHOICE, NONE):
        params = SettingParams(seed=seed, suggest="wrong")
        assert not ask(item, "conformity", params).suggestion.is_gold


def test_judge_is_asked_with_the_options_symbols():
    asked = ask(CHOICE, "vanilla", CORRECTED)
    prompt = judge_prompt(asked.shown, asked.n_options, "both")
    assert 'Selected option 4: respond "4"' in prompt
    assert 'respond in "1,2" format' in prompt
    assert "__PROVED__" in judge_prompt(None, 3, "yes")
    alone = ask(NONE, "vanilla", PUBLISHED, setting="disturbing_miscellany")
    assert 'Selected option C: respond "C"' in judge_prompt(alone.shown, alone.n_options, "C")


def test_which_examples_are_shown():
    def labels(form, examples, shots=1, protocol="corrected"):
        return [item.label for item in few_shot_examples(form, examples, shots, 0, protocol)]

    for form, every in LABELS.items():
        for label in every:
            assert labels(form, label, shots=3) == [label] * 3
        assert labels(form, "balanced", shots=2) == [*every, *every]
    assert labels("judging", "sparse", protocol="published") == ["Unknown"]
    assert labels("judging", "tense") == ["True", "False"]
    assert labels("choice", "sparse") == ["multiple", "none"]
    assert labels("choice", "tense") == ["single"]
    [example] = few_shot_examples("choice", "sparse", 1, 0, "published")
    assert example.question == "What is the color of the sky on Mars?"
    assert few_shot_examples("judging", "True", 5, 0) != few_shot_examples("judging", "True", 5, 1)


def test_wrong_parameters_are_named():
    for task, name in (("conformity", "suggest"), ("few_shot", "examples")):
        values = FAMILY.tasks[task].values({"data": "synthetic", "n": 2, name: "True"})
        with pytest.raises(ValueError, match="run it with form=judging"):
            FAMILY.plan(task, values)
        assert FAMILY.plan(task, {**values, "form": "judging"}).questions
    every = {9: (9,), "3": (3,), "all": tuple(range(1, 10)), "1, 5,9": (1, 5, 9)}
    assert {given: distractor_levels(given) for given in every} == every
    assert distractor_levels([9, 1, 1]) == (1, 9)
    for wrong in (0, 10, True, "", [], "some", "1;2", [1, "all"], ["1.5"], -1):
        with pytest.raises(ValueError, match=r"distractors=.*from 1 to 9, separated by commas"):
            distractor_levels(wrong)
