"""A probed task as a run of ours: its settings, record and cache, and what is made of its log."""

import re

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample

from bias_tasks import outcomes_df, probe, results_df
from bias_tasks.cli import main
from bias_tasks.contract.record import RECORD
from bias_tasks.probing.plan import build_plan
from bias_tasks.solvers.probed_items import ProbedSample, make_sample
from tests.bias_tasks.probing.outcomes import planned
from tests.bias_tasks.probing.own_tasks import several_right
from tests.bias_tasks.probing.probed import always, asked, knows, own, run

THREE = "order,labels,suggest"


def test_the_task_s_settings_stay():
    task = probe(task=own("lettered_choices"), n=1)
    assert task.name == "bias_tasks/probe"
    assert (task.config.temperature, task.config.max_tokens) == (0.3, 77)
    assert task.message_limit == 50
    assert task.metadata["made"] == "here"
    assert task.metadata[RECORD]["provenance"][0]["revision"] == "version 3"


def test_the_temperature_is_the_task_s_or_else_that_of_lm_eval(tmp_path):
    for name, shown in (("several_right", "0"), ("lettered_choices", "0.3")):
        log = run(own(name), always("A"), tmp_path, probes="order", repeats=1)
        printed = CliRunner().invoke(main, ["results", "--all", log.location]).output
        assert f"settings: temperature={shown}" in " ".join(printed.split())


def test_samples_keep_their_other_fields():
    extra = {"files": {"a.txt": "text"}, "setup": "true", "sandbox": "local"}
    own = {"target": "x", "id": 7, "metadata": {"topic": "dogs"}}
    sample = Sample("Which of these animals barks?", **own, **extra)
    known = ProbedSample.from_sample(sample)
    plan = planned([known.item], "typo", repeats=1)
    run = build_plan(plan, [("?", "x")] * 3, task="any", provenance={})
    made = [make_sample(known, each, {}) for each in run.questions]
    assert [each.id for each in made] == ["7/plain", "7/repeat1", "7/typo"]
    assert made[0].input == sample.input != made[2].input
    for each in made:
        assert each.metadata["topic"] == "dogs"
        assert all(getattr(each, name) == getattr(sample, name) for name in extra)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Logs of a model that knows and of one that always says A."""
    folder = tmp_path_factory.mktemp("two")
    return [
        run(own("lettered_choices"), answer, folder / str(number), probes=THREE, repeats=1)
        for number, answer in enumerate((knows, always("A")))
    ]


def test_all_result_commands_read_its_log(two, tmp_path):
    paths = [log.location for log in two]
    metrics = results_df(paths)
    scores = metrics[metrics.metric == "score/baseline"].value.tolist()
    assert scores == [1, pytest.approx(1 / 6)]
    assert set(metrics.family) == {"probing"}
    answers = outcomes_df(paths[1])
    assert len(answers) == 6 * 5
    assert set(answers.answer_label) > {"A", "1"}  # `answer` is `#0`, `#1`, ... under each probe
    for part in ("gold", "answer"):
        columns = answers[["prompt", f"{part}_label", f"{part}_text"]]
        assert all(
            f"\n{label}) {text}\n" in f"{prompt}\n" for prompt, label, text in columns.values
        )
    labelled = answers[(answers.variant == "suggest") & (answers.item == "q0")].prompt.item()
    assert "\n\nThe answer to this problem is " in labelled  # as it was sent

    page = tmp_path / "report.html"
    for command in ("results", "results --all", "compare", f"report --out {page}"):
        told = CliRunner().invoke(main, [*command.split(), *paths])
        assert told.exit_code == 0, (command, told.output)
    told = page.read_text(encoding="utf-8")
    assert "No effect found; an effect of " in told  # six items
    breakdown = told[told.index("<h2>Breakdown</h2>") :]
    rows = [
        re.search(rf"<code>{name}</code></th>.*", breakdown)[0] for name in ("order", "suggest")
    ]
    assert all("<code>baseline</code></td><td>6</td>" in row for row in rows)


def test_a_cache_gives_the_answers_to_all_prompts_but_repeats(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    calls = []

    def counts(messages):
        calls.append(messages[-1].text)
        return "ANSWER: A"

    options = {"cache": True, "temperature": 0, "max_samples": 1}
    place = {"log_dir": str(tmp_path), "display": "none"}
    inspect_eval(several_right(), model=asked(counts), **place, **options)
    n_calls = [len(calls)]
    for _ in range(2):
        run(own("several_right"), counts, tmp_path, probes="order", options=options)
        n_calls.append(len(calls))
    # Two samples by themselves, then two repeats and a probe of each, then the repeats alone.
    assert n_calls == [2, 2 + 2 * 3, 2 + 2 * 3 + 2 * 2]
