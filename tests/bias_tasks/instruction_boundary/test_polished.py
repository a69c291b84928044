"""A rewritten prompt keeps the question, the facts, and every option with its number."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.prompts.ask import ask
from bias_tasks.instruction_boundary.prompts.polished import lost_in
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.tasks import instruction_boundary as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.mocks import mock

JUDGING = JudgingItem("j", "All cats purr.\nTom is a cat.", "Tom purrs.", "True", "t", "j")
CHOICE = ChoiceItem("c", "Which?", ("5", "57", "six\nor more"), (0,), "t", "c", "Some facts.")
PLAIN = {
    item.form: ask(item, "vanilla", SettingParams(), setting="prompt_polishing")
    for item in (JUDGING, CHOICE)
}


def lost(item, change=lambda prompt: prompt):
    asked = PLAIN[item.form]
    return lost_in(change(asked.prompt), asked, item)


@pytest.mark.parametrize("item", [JUDGING, CHOICE], ids=["judging", "choice"])
@pytest.mark.parametrize(
    "change",
    [
        lambda prompt: prompt,
        lambda prompt: f"# Kindly consider\n\n{prompt}\n\nThank you!",
        lambda prompt: prompt.replace("Question:", "**Your question**:").upper(),
        lambda prompt: prompt.replace("\n", "\n\n").replace("Guidance:", "## How to go about it"),
        lambda prompt: prompt.replace("\n1. ", "\n- **1.**  ").replace("\n2. ", "\n- **2.** "),
        lambda prompt: "\n".join(f"  {line}  " for line in prompt.splitlines()),
    ],
)
def test_what_keeps_the_question_passes(item, change):
    assert lost(item, change) == ()


@pytest.mark.parametrize(
    ("item", "old", "new", "what"),
    [
        (JUDGING, "Tom purrs.", "Tom sleeps.", "the question"),
        (CHOICE, "Which?", "What?", "the question"),
        (JUDGING, "All cats purr.", "Some cats purr.", "the fact 'all cats purr.'"),
        (JUDGING, "\nTom is a cat.", "", "the fact 'tom is a cat.'"),
        (CHOICE, "Some facts.", "", "the fact 'some facts.'"),
        (CHOICE, "\n1. 5\n", "\n", "the option '1. 5' with its number"),
        (CHOICE, "\n1. 5\n2. 57\n", "\n1. 57\n2. 5\n", "the option '1. 5' with its number"),
        (CHOICE, "\n1. 5\n", "\nA. 5\n", "the option '1. 5' with its number"),
        (CHOICE, "or more", "or seven", "the option '3. six' with its number"),
        (
            JUDGING,
            "1. There is clear Evidence can be proven",
            "1. There is clear Evidence can be disproved",
            "the option '1. there is clear evidence can be proven",
        ),
        (
            JUDGING,
            "inconclusive)\n",
            "inconclusive)\n4. None of these\n",
            "the end of the options, by adding '4. none of these'",
        ),
        (
            CHOICE,
            "or more\n",
            "or more\n\n4) both\n",
            "the end of the options, by adding '4) both'",
        ),
    ],
)
def test_what_is_lost_is_named(item, old, new, what):
    assert old in PLAIN[item.form].prompt
    [found] = lost(item, lambda prompt: prompt.replace(old, new, 1))
    assert found.startswith(what)


def test_labels_swapped_by_their_numbers_are_found():
    """The right one's number would mean another label."""

    def swapped(prompt):
        first, second = "1. There is clear", "2. There is clear"
        return prompt.replace(first, "?").replace(second, first).replace("?", second)

    [found] = lost(JUDGING, swapped)
    assert "with its number" in found


def test_printed_options_without_numbers_are_looked_for_as_they_are():
    asked = ask(CHOICE, "vanilla", SettingParams(protocol="published"))
    assert lost_in(asked.prompt, asked, CHOICE) == ()
    assert lost_in(asked.prompt.replace("\n57\n", "\n"), asked, CHOICE)


def run(polisher, tmp_path, form):
    task = tasks.prompt_polishing(data="synthetic", form=form, n=2, polish="live", paired=False)
    [log] = inspect_eval(
        task,
        model="simulated/perfect",
        model_roles={"polisher": mock(polisher)},
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
    )
    return log


def asked_for(request):
    """The prompt that is to be rewritten."""
    return request.partition("\n\n")[2]


@pytest.mark.parametrize("form", ["judging", "choice"])
def test_a_polisher_that_renumbers_is_asked_again_and_then_refused(form, tmp_path):
    requests = []

    def renumber(request):
        requests.append(request)
        return asked_for(request).replace("\n1. ", "\n7. ")

    log = run(renumber, tmp_path, form)
    assert log.status == "error"
    assert "with its number" in log.error.message
    assert len(requests) >= 3


def test_a_second_attempt_can_mend_the_first(tmp_path):
    seen = set()

    def careless_once(request):
        first = request not in seen
        seen.add(request)
        return "A better prompt." if first else asked_for(request)

    log = run(careless_once, tmp_path, "judging")
    assert log.status == "success", log.error
    assert inspect_runs.values(log)["judging/acc"] == 1
