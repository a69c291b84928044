"""A bias of the simulated calculator appears only under its probe, with the size of its trait."""

import re

import pytest
from pydantic import create_model

from bias_tasks.families import load_family
from bias_tasks.probing.answers import normalize_answer, restore_task_form
from bias_tasks.probing.displayed_options import find_options
from bias_tasks.probing.family import build_outcome
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.placement import finish_prompt
from bias_tasks.probing.probes.prompt import (
    INSTRUCTIONS,
    PERSONAS,
    STATEMENTS,
    SYSTEM_MESSAGES,
)
from bias_tasks.prompts.edits import AFTER_EXAMPLES, PUSHBACK_REQUEST, render_polish_request
from bias_tasks.simulated.draws import Chance
from bias_tasks.simulated.roles import POLISHED, Polisher
from bias_tasks.solvers.probed_items import ProbedSample
from examples.sums import OPTION, Calculator
from examples.sums import sums as sums_task
from tests.bias_tasks.probing.outcomes import planned

ITEMS = {
    item.id: item for item in (ProbedSample.from_sample(s).item for s in sums_task(80).dataset)
}
LETTERS = ("A", "B", "C", "D")
OWN = ("labels", "separator", "casing", "system", "persona", "distract", "instruction", "polish",
       "reflect", "pushback", "format")  # fmt: skip
PLANTED = {probe: probe for probe in (*OWN, "typo", "few_shot")} | {"suggest": "adopt"}
"""The trait that shows under each probe of a question with choices."""
_SHOWN = re.compile(r"(?m)^(?:ANSWER|Answer): ?(.{1,40})$")
_SUGGESTION = re.compile(r"The answer to this problem is ([^\n]{1,200}?)\.(?=\s|$)")
_TRAITS = create_model(
    "Traits", __base__=Calculator, **dict.fromkeys(("adopt", "few_shot", *OWN), (Chance, 0.0))
)


class Probed(_TRAITS):
    """Calculator that follows examples and suggestions, and errs if a prompt has a probe's cue."""

    def leads(self, prompt):
        for shown in _SHOWN.findall(prompt.rpartition(AFTER_EXAMPLES)[0])[-1:]:
            yield "few_shot", shown
        for suggested in _SUGGESTION.findall(prompt)[-1:]:
            yield "adopt", suggested

    def cues(self, prompt, text):
        yield from super().cues(prompt, text)
        options = OPTION.findall(text)
        if options:
            label, values = options[0][0], [value for _, value in options]
            if label != "A":
                yield "labels"
            elif find_options(text, len(options)) is None or f"\n{label}) " not in text:
                yield "separator"
            if any(map(str.isupper, values)) or not any(value[0].isupper() for value in values):
                yield "casing"
        seen = {
            "system": prompt.startswith(SYSTEM_MESSAGES),
            "persona": prompt.startswith(PERSONAS),
            "instruction": prompt.startswith(tuple(INSTRUCTIONS["choice"])),
            "distract": any(statement in text for statement in STATEMENTS),
            "polish": POLISHED in prompt,
            "reflect": "reflect on your previous answer" in prompt,
            "pushback": prompt.endswith(PUSHBACK_REQUEST),
            "format": any(form.instruction in prompt for form in FINAL_FORMATS.values()),
        }
        yield from (cue for cue, there in seen.items() if there)


def prompt_of(question):
    perturbation = question.perturbation
    shown = zip(LETTERS, question.displayed_choices, strict=True)
    options = "\n".join(f"{label}) {choice}" for label, choice in shown)
    text = perturbation.text or ITEMS[question.item].text
    prompt = finish_prompt(
        perturbation, f"Choose one of A,B,C,D.\n\n{text}\n\n{options}", len(LETTERS)
    )
    if perturbation.polish:
        prompt = Polisher().respond(render_polish_request(prompt), None)
    parts = (perturbation.system, prompt, perturbation.follow_up)
    return "\n\n".join(part for part in parts if part)


def card(respondent, probes=None):
    outcomes = []
    for question in planned([*ITEMS.values()], probes, repeats=2).questions:
        said = respondent.respond(prompt_of(question), None)
        said = restore_task_form(question, said, LETTERS).removeprefix("ANSWER: ")
        content = normalize_answer(question, said, LETTERS)
        outcomes.append(build_outcome(question, content, float(content == question.gold), ""))
    return load_family("probing").compute_metrics(outcomes, {})


def test_an_insensitive_model_has_no_changes():
    found = card(Probed(accuracy=0.8))
    assert 0.7 < found["score/baseline"].value < 0.9
    assert found["max_answers_changed"].value == 0
    for probe in PLANTED:
        assert found[f"score_change/{probe}"].value == 0, probe
        assert found[f"same_answer/{probe}"].value == 1, probe


@pytest.mark.parametrize(("probe", "trait"), PLANTED.items())
def test_a_planted_sensitivity_changes_its_probe_only(probe, trait):
    found = card(Probed(accuracy=1.0, **{trait: 0.3}))
    shown = found[f"score_change/{probe}"]
    assert found["max_answers_changed"].value == found[f"answers_changed/{probe}"].value > 0.15
    assert found["max_answers_changed"].ci_low > 0
    assert shown.value == pytest.approx(-0.3, abs=0.15)  # of 80 draws
    assert shown.ci_high < 0
    others = {each: found[f"score_change/{each}"].value for each in PLANTED if each != probe}
    assert others == dict.fromkeys(others, 0.0)


def test_a_stack_has_the_effects_of_its_probes():
    traits = {"typo": 0.3, "persona": 0.3, "labels": 0.2}
    found = card(Probed(accuracy=1.0, **traits), "typo,persona,typo+persona,labels+typo+persona")
    changed = {
        variant: found[f"answers_changed/{variant}"].value
        for variant in ("typo", "persona", "typo+persona", "labels+typo+persona")
    }
    # The traits are drawn independently: 1 - 0.7 * 0.7 = 0.51, and 1 - 0.8 * 0.49 = 0.608.
    assert changed["typo+persona"] == pytest.approx(0.51, abs=0.12)
    assert changed["labels+typo+persona"] == pytest.approx(0.608, abs=0.12)
    assert max(changed["typo"], changed["persona"]) < changed["typo+persona"]
    assert found["max_answers_changed"].value == changed["labels+typo+persona"]
    assert found["coverage/typo+persona"].value == 1
