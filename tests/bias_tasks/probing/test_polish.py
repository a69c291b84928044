"""A prompt that a model has rewritten: what it must still hold, and who rewrites it."""

import pytest

from bias_tasks.probing.placement import CONTENT_CHANGED, keeps_content
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.probing.own_tasks import ROWS
from tests.bias_tasks.probing.probed import POLISH, asked, knows, outcomes, own, run, sent

QUESTION = "Which metal\nis liquid?"
PROMPT = f"Choose one.\n\n{QUESTION}\n\nA) iron\nB) mercury"


def kept(polished):
    return keeps_content(PROMPT, polished, QUESTION, ("iron", "mercury"), ("A", "B"))


ASKED = (f"Please think.\n{PROMPT}", f" {PROMPT.upper()}\n",
         "## Task\nWhich metal is **liquid**?\n- **A)** Iron\n- **B)** Mercury\nReply.",
         "Which metal is liquid?\nA. iron\nB. mercury",
         "Which metal is liquid? (A) iron (B) mercury")  # fmt: skip
SPOILT = ("", " **\n", "Which metal melts?\nA) iron\nB) mercury", "Which metal is liquid?\nA) iron",
          "Which metal is liquid?\nB) mercury\nA) iron",
          "Which metal is liquid?\n1) iron\n2) mercury",
          "Which metal is liquid?\nA) irons\nB) mercury",
          "Which metal is liquid?\niron\nmercury", f"Think.\n{PROMPT}\nC) neither")  # fmt: skip


def test_a_polished_prompt_must_keep_its_content():
    assert [each for each in ASKED if not kept(each)] == []
    assert [each for each in SPOILT if kept(each)] == []


def test_long_polished_prompts_are_bounded():
    for piece in ("A) ", "(", "A) iron\n", "*", "\n"):
        with cpu_limit(4):
            kept(piece * 300_000)


def polisher(messages):
    """Keeps the first prompt, and spoils each of the others in one of two ways."""
    prompt = messages[-1].text.removeprefix(POLISH)
    place = next(number for number, (text, _, _) in enumerate(ROWS) if text in prompt)
    choices = ROWS[place][1]
    spoilt = (prompt.replace(f"A) {choices[0]}\n", ""), "")
    return spoilt[place % 2] if place else f"<think>Hm.</think>Dear model,\n{prompt}"


def test_a_polisher_that_loses_content_leaves_the_sample_unscored(tmp_path):
    roles = {"polisher": asked(polisher, "polisher")}
    task = own("lettered_choices")
    log = run(task, knows, tmp_path, model_roles=roles, probes="polish", repeats=1)
    assert log.status == "success"
    found = outcomes(log)
    assert [item for item, variant in found if variant == "polish"] == ["q0"]
    told = {s.id: s.scores["probed_outcome"] for s in log.samples if s.id.endswith("/polish")}
    unplaced = [each for name, each in told.items() if name[:2] != "q0"]
    assert [(each.reason, each.explanation) for each in unplaced] == [
        ("probe_not_placed", CONTENT_CHANGED)
    ] * 5
    calls = {sample.id: sent(sample) for sample in log.samples}
    assert {name for name, made in calls.items() if not made} == set(told) - {"q0/polish"}
    [[message]] = calls["q0/polish"]
    assert message.text.startswith("Dear model,\nAnswer the following multiple choice question.")
    assert values(log)["coverage/polish"] == pytest.approx(1 / 6)


def test_the_evaluated_model_polishes_by_default_without_the_task_s_limits(tmp_path):
    log = run(own("lettered_choices"), knows, tmp_path, probes="polish", repeats=1, n=1)
    [sample] = [each for each in log.samples if each.id.endswith("/polish")]
    first, second = (each for each in sample.events if each.event == "model")
    prompt = first.input[-1].text.removeprefix(POLISH)
    assert first.config.max_tokens == 1_000 + len(prompt.strip())
    assert second.config.max_tokens == 77  # the task's own
    assert second.input[-1].text == f"Dear model,\n\n{prompt}".strip()
    assert values(log)["score/polish"] == 1
