"""Runs of `probe` in this process, with models that know the right choices."""

import re
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import resolve_sample_attachments
from inspect_ai.model import get_model

from bias_tasks import probe
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.prompts.edits import AFTER_EXAMPLES, render_polish_request
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.mocks import output
from tests.bias_tasks.probing.own_tasks import ROWS

POLISH = render_polish_request("")
OWN = Path(__file__).with_name("own_tasks.py")
RIGHT = {choices[right] for _, choices, right in ROWS}


def own(name):
    return f"{OWN}@{name}"


def asked(answer, name="model"):
    """A model that answers by a function of the messages it is sent."""
    return get_model(
        f"mockllm/{name}",
        custom_outputs=lambda messages, *_: output(answer(messages)),
        memoize=False,
    )


def run(task, answer, folder, model_roles=None, options=None, **parameters):
    """The log of a probed task."""
    [log] = inspect_eval(
        probe(task=task, **parameters),
        model=asked(answer),
        model_roles=model_roles,
        log_dir=str(folder),
        display="none",
        **(options or {}),
    )
    log.samples = [resolve_sample_attachments(each, "full") for each in log.samples or ()]
    return log


def outcomes(log):
    """By item and variant."""
    found = inspect_runs.outcomes(log).values()
    return {(each["item"], each["variant"]): each for each in found}


def sent(sample):
    """The messages of each call of the model under evaluation."""
    calls = [e for e in sample.events if e.event == "model" and e.role is None]
    return [call.input for call in calls]


def knows(messages):
    """The right choice by whatever label it is printed behind, in whatever format is asked for."""
    asked_to_polish = messages[-1].text.startswith(POLISH)
    if asked_to_polish:
        return f"Dear model,\n\n{messages[-1].text.removeprefix(POLISH)}"
    users = [m.text.rpartition(AFTER_EXAMPLES)[2] for m in messages if m.role == "user"]
    prompt = next(text for text in users if label_of(text) is not None)
    return wrapped(prompt, label_of(prompt))


def always(label):
    return lambda messages: f"ANSWER: {label}"


def label_of(prompt):
    """What stands in front of a right choice; None where none is printed."""
    for right in RIGHT:
        found = re.search(rf"(\w+)\W{{1,4}}{right}(?!\w)", prompt, re.IGNORECASE)
        if found:
            return found[1]
    return None


def wrapped(prompt, answer):
    """An answer in the format that a prompt's end asks for, or as the task asks for one."""
    asked_for = [n for n, each in FINAL_FORMATS.items() if prompt.endswith(each.instruction)]
    if not asked_for:
        return f"ANSWER: {answer}"
    form = FORMATS[asked_for[0]]
    if hasattr(form, "opening"):
        return f"ANSWER: {form.opening}{answer}{form.closing}"
    words = next(right for right in RIGHT if f"{answer}) {right}" in prompt)
    return {
        "character": answer,
        "text": words,
        "python": f"['{answer}']",
        "bullet": f"- {answer}",
        "json": f'```json\n{{"answer": "{answer}"}}\n```',
        "yaml": f"answer: {answer}",
    }[form.name]
