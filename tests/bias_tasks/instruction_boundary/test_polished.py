"""A rewritten prompt keeps the question, the facts, and every option with its number."""

from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.prompts.polished import find_losses
from bias_tasks.instruction_boundary.prompts.render import render_question
from bias_tasks.instruction_boundary.settings import SettingParams

JUDGING = JudgingItem("j", "All cats purr.\nTom is a cat.", "Tom purrs.", "True", "t", "j")
CHOICE = ChoiceItem("c", "Which?", ("5", "57", "six\nor more"), (0,), "t", "c", "Some facts.")


def lost(item, change, protocol="corrected"):
    rendered = render_question(item, "vanilla", SettingParams(protocol), setting="prompt_polishing")
    return find_losses(change(rendered.prompt), rendered, item)


def test_rewritings_that_keep_the_question_pass():
    for item in (JUDGING, CHOICE):
        for change in (
            lambda prompt: prompt,
            lambda prompt: f"# Kindly consider\n\n{prompt}\n\nThank you!",
            lambda prompt: prompt.replace("Question:", "**Your question**:").upper(),
            lambda prompt: prompt.replace("\n", "\n\n").replace("Guidance:", "## How to"),
            lambda prompt: prompt.replace("\n1. ", "\n- **1.**  ").replace("\n2. ", "\n- **2.** "),
            lambda prompt: "\n".join(f"  {line}  " for line in prompt.splitlines()),
        ):
            assert lost(item, change) == ()


def test_losses_are_named():
    first, second = "1. There is clear", "2. There is clear"
    for item, old, new, what in (
        (JUDGING, "Tom purrs.", "Tom sleeps.", "the question"),
        (CHOICE, "Which?", "What?", "the question"),
        (JUDGING, "All cats purr.", "Some cats purr.", "the fact 'all cats purr.'"),
        (JUDGING, "\nTom is a cat.", "", "the fact 'tom is a cat.'"),
        (CHOICE, "Some facts.", "", "the fact 'some facts.'"),
        (CHOICE, "\n1. 5\n", "\n", "the option '1. 5' with its number"),
        (CHOICE, "\n1. 5\n2. 57\n", "\n1. 57\n2. 5\n", "the option '2. 57' with its number"),
        (CHOICE, "\n1. 5\n", "\nA. 5\n", "the option '1. 5' with its number"),
        (CHOICE, "or more", "or seven", "the option 'or more' with its number"),
        (JUDGING, first, "1. There is hardly", "the option '1. there is clear evidence can be"),
        (JUDGING, "inconclusive)\n", "inconclusive)\n4. None\n", "the end of the options, by add"),
        (CHOICE, "or more\n", "or more\n\n4) both\n", "the end of the options, by adding '4) bo"),
    ):
        assert old in render_question(item, "vanilla", SettingParams()).prompt
        [loss] = lost(item, lambda prompt, old=old, new=new: prompt.replace(old, new, 1))
        assert loss.startswith(what), (old, new)

    def swapped(prompt):
        return prompt.replace(first, "?").replace(second, first).replace("?", second)

    [loss] = lost(JUDGING, swapped)  # the gold number would mean another label
    assert "with its number" in loss
