"""Under `corrected` the prompts are those of appendices I and J, word by word."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.prompts.ask import ask, ask_again
from bias_tasks.instruction_boundary.prompts.few_shot import paper_examples
from bias_tasks.instruction_boundary.settings import SETTINGS, SettingParams

PRINTED = yaml.safe_load(
    (Path(__file__).parent / "prompts_appendix.yaml").read_text(encoding="utf-8")
)
CHOICE = ChoiceItem("c", "Which are even?", ("2", "3", "4", "5"), (0, 2), "t", "c", "Some are odd.")
JUDGING = JudgingItem("j", "All cats purr.", "Tom purrs.", "Unknown", "t", "j")
EXAMPLE = JudgingItem("e", "It rains.", "It is wet.", "True", "t", "e")
TWICE = " Here is the example, you can learn from this: {}"
"""Appendix J names the example's slot a second time; corrected shows an example once."""
OTHERS = ["vanilla", "few_shot", "vagueness", "prompt_polishing", "conformity", "multi_turn"]


def words(text):
    return " ".join(text.split())


def options(lines):
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def choice(name, lines=CHOICE.options, previous=""):
    """The printed choice prompt with CHOICE's text in it."""
    return (
        PRINTED["choice"][name]
        .replace("{question}", CHOICE.question)
        .replace("{passage_text}", CHOICE.context)
        .replace("{options_text}", options(lines))
        .replace("{first_answer}", previous)
    )


def judging(name, *values):
    """The printed judging prompt with values in its slots, in their order."""
    text = PRINTED["judging"][name]
    assert text.count("{}") == len(values)
    for value in values:
        text = text.replace("{}", value, 1)
    return text


@pytest.mark.parametrize("setting", OTHERS)
def test_choice_prompts(setting):
    asked = ask(CHOICE, setting, SettingParams(), examples=paper_examples())
    assert words(asked.prompt) == words(choice(setting))


def test_choice_missing_choices_shows_what_is_left():
    asked = ask(CHOICE, "missing_choices", SettingParams())
    kept = [CHOICE.options[place] for place in asked.shown.positions]
    assert len(kept) < 4
    assert words(asked.prompt) == words(choice("missing_choices", kept))


def test_choice_reflection():
    prompt = ask_again(CHOICE, SettingParams(), "1, 3")
    assert words(prompt) == words(choice("multi_turn_next", previous="1, 3"))


SLOTS = (JUDGING.question, JUDGING.context)
IN_EXAMPLE = (EXAMPLE.context, EXAMPLE.question, "1")


@pytest.mark.parametrize(
    "setting",
    [
        "vanilla",
        "vagueness",
        "missing_choices",
        "prompt_polishing",
        "self_reflection",
        "multi_turn",
    ],
)
def test_judging_prompts(setting):
    asked = ask(JUDGING, setting, SettingParams())
    assert words(asked.prompt) == words(judging(setting, *SLOTS))


def test_judging_conformity_on_the_printed_label():
    asked = ask(JUDGING, "conformity", SettingParams(suggest="True"))
    assert words(asked.prompt) == words(judging("conformity", *SLOTS))


def test_judging_few_shot_shows_its_example_once():
    asked = ask(JUDGING, "few_shot", SettingParams(), examples=[EXAMPLE])
    printed = PRINTED["judging"]["few_shot"].strip()
    assert printed.endswith(TWICE)
    for value in (*IN_EXAMPLE, *SLOTS):
        printed = printed.replace("{}", value, 1)
    assert words(asked.prompt) == words(printed.removesuffix(TWICE))


def test_judging_reflection():
    prompt = ask_again(JUDGING, SettingParams(), "3")
    assert words(prompt) == words(judging("multi_turn_next", *SLOTS, "3"))


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_self_reflection_of_choices_is_vanilla_with_the_four_steps(protocol):
    """Ours: appendix I has none, and appendix J leaves out the third question of the guidance."""
    prompt = ask(CHOICE, "self_reflection", SettingParams(protocol=protocol)).prompt
    lines = CHOICE.options if protocol == "published" else options(CHOICE.options).split("\n")
    third = (
        "- Are the facts insufficient or ambiguous to make a clear determination for some options?"
    )
    vanilla = choice("vanilla").replace(f"{third}\n", "").strip().removesuffix("Answer:")
    vanilla = vanilla.replace(options(CHOICE.options), "\n".join(lines))
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


def test_every_printed_prompt_is_compared():
    assert set(PRINTED["choice"]) == {*OTHERS, "missing_choices", "multi_turn_next"}
    # Disturbing miscellany has no template of its own, nor has self_reflection in the choice form.
    assert {*SETTINGS} - set(PRINTED["judging"]) == {"disturbing_miscellany"}
