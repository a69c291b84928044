"""What Inspect sends under each probe, and how answers come back to the task's own scorer."""

import re

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import resolve_sample_attachments

from bias_tasks.probing.probes import PROBES
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.probing.own_tasks import ROWS, lettered_choices
from tests.bias_tasks.probing.probed import always, asked, knows, outcomes, own, run, sent

REPEATS = 2


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """All probes, answered by a model that knows the right choice by its text alone."""
    folder = tmp_path_factory.mktemp("knows")
    return run(own("lettered_choices"), knows, folder, repeats=REPEATS)


@pytest.fixture(scope="module")
def prompts(log):
    """The last message of the user in the first call of each sample, by item and variant."""
    found = {}
    for sample in log.samples:
        first = sent(sample)[1 if sample.id.endswith("/polish") else 0]
        users = [each for each in first if each.role == "user"]
        found[tuple(sample.id.split("/"))] = users[-1].text
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The task by itself."""
    folder = str(tmp_path_factory.mktemp("plain"))
    [found] = inspect_eval(
        lettered_choices(), model=asked(always("A")), log_dir=folder, display="none"
    )
    found.samples = [resolve_sample_attachments(each, "full") for each in found.samples]
    return found


def options(prompt):
    return re.findall(r"^(\w+)\) (.*)$", prompt, re.M)


def test_every_item_has_its_baseline_repeats_and_applicable_probes(log):
    assert log.status == "success"
    asked_of = {variant for _, variant in outcomes(log)}
    assert asked_of == {"baseline", "repeat1", "repeat2", *PROBES} - {"language", "paraphrase"}
    assert len(log.samples) == 6 * (1 + REPEATS + len(PROBES) - 2) - 2
    [note] = log.eval.metadata["bias_tasks"]["notes"]
    assert note.startswith(
        "skipped, of 6 items: paraphrase for 6 (the run has no file of rewordings)"
    )
    assert note.endswith("few_shot for 2 (the task has too few other items with another answer)")


def test_the_baseline_prompt_is_the_task_s_own(plain, prompts):
    for sample in plain.samples:
        told = sent(sample)[0][-1].text
        assert prompts[sample.id, "plain"] == told
        assert prompts[sample.id, "repeat1"] == prompts[sample.id, "repeat2"] == told


def test_the_order_moves_the_correct_choice_and_its_target(log, prompts):
    targets, found = {each.id: each.target for each in log.samples}, outcomes(log)
    for place, (_, choices, right) in enumerate(ROWS):
        shown = [text for _, text in options(prompts[f"q{place}", "order"])]
        assert sorted(shown) == sorted(choices)
        assert shown.index(choices[right]) != right
        assert targets[f"q{place}/order"] == "ABCD"[shown.index(choices[right])]
        assert found[f"q{place}", "order"]["gold"] == f"#{right}"


def test_correct_answers_are_correct_with_any_label_and_format(log):
    found = outcomes(log)
    assert {each["score"] for each in found.values()} == {1.0}
    assert all(each["answer"] == f"#{ROWS[int(item[1])][2]}" for (item, _), each in found.items())
    card = values(log)
    assert card["max_answers_changed"] == 0
    assert card["same_answer"] == card["same_score"] == card["score/baseline"] == 1
