"""The same items, probes and answers give the same metrics in both frameworks."""

import json

import pytest
from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import resolve_sample_attachments
from inspect_ai.model import get_model
from inspect_ai.scorer import pattern
from inspect_ai.solver import generate

from bias_tasks import probe
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.wrappings import Wrapping
from bias_tasks.probing.items import ProbeData
from bias_tasks.simulated.draws import draw
from bias_tasks.solvers.sample_state import running_sample
from tests.bias_tasks import harness_runs, inspect_runs
from tests.bias_tasks.mocks import output
from tests.bias_tasks.probing.harness_tasks import LAYOUTS, Scripted, run, write_lettered
from tests.bias_tasks.probing.probed import outcomes

COUNT, ASKED = 12, 9
PROBES = (
    "order,labels,separator,casing,paraphrase,typo,system,persona,suggest,instruction,format,"
    "typo+persona,order+labels+instruction+suggest,labels+separator+format"
)
READ = r"ANSWER: ([A-D])\b"
OPTIONS = "\n".join(f"{a}) {{{{choices[{place}]}}}}" for place, a in enumerate("ABCD"))
LETTER = {"function": "regex", "regex_pattern": READ}
TASK = {
    "doc_to_text": f"{{{{question}}}}\n{OPTIONS}",
    "generation_kwargs": {"until": [], "do_sample": False},
    "filter_list": [{"name": "letter", "filter": [LETTER, {"function": "take_first"}]}],
}
ROWS = [LAYOUTS["mmlu"][1](number) for number in range(COUNT)]


def answer_to(data):
    """Return an answer by item and variant only.

    One of ten is unparsable, and a correct one is likelier with the baseline prompt.
    """
    name, variant, perturbation = data.item, data.variant, data.perturbation
    if draw(0, "silent", name, variant) < 0.1:
        return "I would rather not say."
    order = list(perturbation.order or range(4))
    style = perturbation.option_style
    labels = (style and style.labels) or "ABCD"
    chance = 0.8 if variant == "baseline" or variant.startswith("repeat") else 0.5
    place = data.correct[0]
    if draw(0, "errs", name, variant) > chance:
        place = (place + 1 + int(3 * draw(0, "which", name, variant))) % 4
    label = labels[order.index(place)]
    form = FORMATS.get(perturbation.format)
    if isinstance(form, Wrapping):
        return f"ANSWER: {form.opening}{label}{form.closing}"
    if perturbation.format == "json":
        return json.dumps({"answer": label})
    return f"ANSWER: {label}"


class Known(Scripted):
    def generate_until(self, requests, disable_tqdm=False):
        self.asked += [request.args[0] for request in requests]
        return [
            answer_to(ProbeData.from_dict(json.loads(request.doc["scoring_data"])))
            for request in requests
        ]


@task
def lettered():
    samples = [
        Sample(
            id=f"lettered-{place}",
            input="\n".join([row["question"], *map("{}) {}".format, "ABCD", row["choices"])]),
            target="ABCD"[row["answer"]],
        )
        for place, row in enumerate(ROWS)
    ]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=pattern(READ))


@pytest.fixture(scope="module")
def inspect_log(tmp_path_factory):
    model = get_model(
        "mockllm/model",
        custom_outputs=lambda *_: output(answer_to(running_sample().question.scoring_data)),
        memoize=False,
    )
    [log] = inspect_eval(
        probe(task=f"{__file__}@lettered", probes=PROBES, n=ASKED, seed=3),
        model=model,
        log_dir=str(tmp_path_factory.mktemp("inspect")),
        display="none",
    )
    assert log.status == "success"
    log.samples = [resolve_sample_attachments(each, "full") for each in log.samples]
    return log


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    folder, model = tmp_path_factory.mktemp("harness"), Known()
    write_lettered(folder, COUNT, **TASK)
    return run(folder, "lettered", model, probes=PROBES, n=ASKED, seed=3), model


def test_both_frameworks_draw_the_same_items_and_send_the_same_prompts(inspect_log, harness):
    results, model = harness
    ours = {
        each.id: each.metadata["bias_tasks_probe"]["perturbation"] for each in inspect_log.samples
    }
    docs = [sample["doc"] for sample in results["samples"]["bias_probe"]]
    assert len(ours) > 9 * ASKED
    assert {doc["id"]: json.loads(doc["scoring_data"])["perturbation"] for doc in docs} == ours
    sent = [
        "\n\n".join(message.text for message in call.input)
        for sample in inspect_log.samples
        for call in sample.events
        if call.event == "model"
    ]
    assert sorted(model.asked) == sorted(sent)


def test_both_frameworks_have_the_same_outcomes(inspect_log, harness):
    ours = outcomes(inspect_log)
    theirs = [each["doc"]["outcome"] for each in harness[0]["samples"]["bias_probe"]]
    for name in ("item", "cluster", "variant", "gold", "answer", "score", "extra"):
        told = {key: each[name] for key, each in ours.items()}
        assert {(each["item"], each["variant"]): each[name] for each in theirs} == told, name


def test_both_frameworks_have_the_same_metrics(inspect_log, harness):
    ours = inspect_runs.values(inspect_log)
    theirs = harness_runs.values(harness[0], "bias_probe")
    assert theirs == pytest.approx(ours, abs=1e-7, nan_ok=True)
    assert 0 < ours["unparsed"] < 0.3
    assert ours["score_change/typo"] != 0 != ours["same_answer/repeat"] - 1
    shown = harness_runs.shown(harness[0], "bias_probe")
    [score] = inspect_log.results.scores
    logged = {name: metric.value for name, metric in score.metrics.items()}
    for name in (
        "max_answers_changed",
        "score/baseline",
        "worst_score_change",
        "same_answer",
        "unparsed",
        "items",
    ):
        assert logged[name] == pytest.approx(shown[name], abs=1e-9), name
