"""Six of lm-eval's own tasks under probes, each asked plain as the harness asks it itself."""

import zlib
from collections import defaultdict

import pytest

from bias_tasks.probing.probes import PROBES
from tests.bias_tasks.harness_runs import values
from tests.bias_tasks.probing.harness_tasks import LAYOUTS, Scripted, plain, run, write

WRITTEN = {"gsm8k"}
PRINTED = {"mmlu"}
"""Whose prompts print their choices."""
BY_CHOICES = {"order", "labels", "separator", "casing", "suggest"}
COUNT = 8


def hashed(*parts):
    return zlib.crc32("|".join(parts).encode())


def model():
    """Answers that differ from prompt to prompt, some of them right."""
    return Scripted(
        lambda context, continuation: -(hashed(context, continuation) % 997) / 100,
        lambda context: ("#### 9", "River 3", "writer 5", "no idea")[hashed(context) % 4],
    )


def by_variant(results):
    found = defaultdict(list)
    for sample in results["samples"]["bias_probe"]:
        found[sample["doc"]["id"].rpartition("/")[2]].append(sample)
    return found


@pytest.fixture(params=LAYOUTS)
def task(request, tmp_path):
    write(tmp_path, request.param, COUNT)
    return request.param


def test_baseline_prompts_and_scores_are_the_task_s_own(task, tmp_path):
    by_itself = plain(tmp_path, task, model())
    probed = run(tmp_path, task, model(), n="all")
    first = by_itself["samples"][task][0]["filter"]
    own = [sample for sample in by_itself["samples"][task] if sample["filter"] == first]
    asked = by_variant(probed)["plain"]
    assert [sample["arguments"] for sample in asked] == [sample["arguments"] for sample in own]
    metric = "exact_match" if task in WRITTEN else "acc"
    assert [sample["doc"]["outcome"]["score"] for sample in asked] == [
        sample[metric] for sample in own
    ]
    assert values(probed, "bias_probe")["score/baseline"] == pytest.approx(
        by_itself["results"][task][f"{metric},{first}"], abs=1e-12
    )


def test_each_applicable_probe_changes_the_prompt(task, tmp_path):
    asked = by_variant(run(tmp_path, task, model(), n="all"))
    # Without a file of rewordings and with one call per question; a new probe is expected of all.
    expected = {"plain", *PROBES} - BY_CHOICES - {"paraphrase", "language"}
    expected -= {"polish", "reflect", "pushback", "format"}
    expected |= BY_CHOICES if task in PRINTED else set()
    expected |= {"repeat1", "repeat2", "format"} if task in WRITTEN else set()
    if task == "winogrande":  # its contexts are its choices, so that it has no text of its own
        expected = {"plain", "system", "persona"}
    assert set(asked) == expected
    prompts = {
        name: [sample["arguments"][0][0] for sample in samples] for name, samples in asked.items()
    }
    # Of a dozen items hardly any may have another answer and text.
    assert all(len(each) == COUNT for name, each in prompts.items() if name != "few_shot")
    for name, found in prompts.items():
        same = [one == other for one, other in zip(found, prompts["plain"], strict=False)]
        assert all(same) if name.startswith(("plain", "repeat")) else sum(same) < COUNT / 2, name
