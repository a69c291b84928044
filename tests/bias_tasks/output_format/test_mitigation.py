"""Mitigations and their baselines: metrics, verdicts and the command; and training rows."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.finetune import build_chat_rows, load_format_runs, load_training_split
from bias_tasks.commands.mitigation import compare_runs
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.metrics import FormatOutcome
from bias_tasks.output_format.mitigation import allocate_training_rows, compare_mitigation
from bias_tasks.output_format_tasks import format_wrapping
from bias_tasks.results.run import UnusableRunError
from tests.bias_tasks.output_format.cases import formats_in
from tests.bias_tasks.output_format.runs import (
    change_dataset,
    change_outcome,
    make_items,
    numbers,
    simulate_run,
    training_file,
    write_log,
)
from tests.bias_tasks.results.runs import replace_answers

FI = (0.9, 0.7, 0.5)
BIASED, LEVEL = (0.9, 0.6, 0.3), (0.6, 0.6, 0.6)
ITEMS = numbers(300)
FEW = ITEMS[:60]
TRAINING = numbers(150, 1000)
UNEVEN = {"accuracy_italicizing": 0.4, "accuracy_placeholder": 0.45, "accuracy_bolding": 0.5}


def simulate_outcomes(seed, n, fi, est_true):
    rng = np.random.default_rng(seed)
    follows = rng.random((n, len(fi))) < fi
    right = follows & (rng.random((n, len(fi))) < est_true)
    return [
        FormatOutcome(str(i), str(i), name, float(follows[i, k]), float(right[i, k]))
        for i in range(n)
        for k, name in enumerate("abcdefg"[: len(fi)])
    ]


def test_a_simulated_mitigation_is_significant():
    runs = (
        simulate_outcomes(0, 300, FI, BIASED),
        simulate_outcomes(1, 300, (0.97, 0.95, 0.9), LEVEL),
    )
    comparison = compare_mitigation(*runs)
    assert (comparison.holds, comparison.significant) == (True, True)
    assert comparison.lower_fi_formats == comparison.excluded_formats == ()
    delta = comparison.metrics["delta_bias_f"]
    assert delta.ci_low < -600 < delta.ci_high < 0
    assert delta.n == 300
    gain = comparison.metrics["delta_fi/c"]
    assert gain.ci_low < 0.4 < gain.ci_high
    assert gain.p < 0.001
    fall = -min(comparison.metrics[f"delta_fi/{name}"].ci_low for name in "abc")
    assert [
        compare_mitigation(*runs, margin=fall + more).significant for more in (0.001, -0.001)
    ] == [True, False]


def test_noise_is_not_significant():
    """Equal models: half of them have a lower bias_f, but almost none significantly."""
    comparisons = [
        compare_mitigation(
            simulate_outcomes(2 * s, 150, FI, BIASED), simulate_outcomes(2 * s + 1, 150, FI, BIASED)
        )
        for s in range(40)
    ]
    falls = [c.metrics["delta_bias_f"].value < 0 for c in comparisons]
    assert 10 <= sum(falls) <= 30
    assert sum(c.metrics["delta_bias_f"].ci_high < 0 for c in comparisons) <= 4
    assert sum(c.significant for c in comparisons) <= 2


def test_runs_that_cannot_be_compared():
    some = simulate_outcomes(0, 5, FI, BIASED)
    two = simulate_outcomes(0, 2, FI[:2], LEVEL[:2])
    unpaired = [FormatOutcome("0", "0", "a", 1, 1), FormatOutcome("9", "9", "b", 1, 1)]
    for base, mitigated, message in (
        (some, two, "one of the two runs has c"),
        (two, unpaired, "share no item in b"),
    ):
        with pytest.raises(ValueError, match=message):
            compare_mitigation(base, mitigated)


def compared(base, mitigated):
    """Return the comparison of the only group of two runs."""
    (group,) = compare_runs([base], [mitigated], 0.05).comparisons
    return group


def test_verdicts_in_words():
    perfect, level = simulate_run(FEW, "perfect"), simulate_run(ITEMS, "steadfast")
    uneven = simulate_run(ITEMS, "steadfast", UNEVEN)
    less_followed = simulate_run(ITEMS, "steadfast", {"follow_placeholder": 0.5})
    (first, *rest) = perfect.answers
    one_failure = replace_answers(perfect, [change_outcome(first, False, 0.0), *rest])
    one_format = simulate_run(FEW, "perfect", {"follow": 0, "follow_bolding": 1})
    few = [simulate_run(ITEMS[:25], "steadfast", p) for p in ({"accuracy_bolding": 0.7}, {})]
    for base, mitigated, words in (
        (uneven, level, "The mitigation holds"),
        (*few, "met on these items, but their intervals do not confirm it."),
        (uneven, less_followed, "does not hold: fi falls in placeholder."),
        (perfect, one_failure, "bias_f does not fall, and fi falls in special_character."),
        (level, uneven, "does not hold: bias_f does not fall."),
        (one_format, one_format, "Unknown"),
    ):
        assert words in compared(base, mitigated).verdict
    report = compare_runs([one_format], [one_format], 0.05)
    assert report.comparisons[0].metrics[0]["difference"] is None
    assert "NaN" not in json.dumps(report.to_dict())


def test_unpaired_answers_are_excluded_and_reported():
    base, mitigated = (
        simulate_run(ITEMS[:80], "format_blind"),
        simulate_run(ITEMS[50:120], "format_biased"),
    )
    shared = (
        simulate_run(ITEMS[50:80], "format_blind"),
        simulate_run(ITEMS[50:80], "format_biased"),
    )
    group = compared(base, mitigated)
    assert group.metrics == compared(*shared).metrics
    sizes = [group.n_paired, group.n_baseline_only, group.n_mitigated_only]
    n_formats = len(formats_in("wrapping"))
    assert sizes == [30 * n_formats, 50 * n_formats, 40 * n_formats]
    text = "\n".join(compare_runs([base], [mitigated], 0.05).lines())
    assert f"{sizes[0]} answers of each run" in text
    assert f"excluded are {sizes[1]} of the baseline" in text
    others = [change_dataset(answer, "other") for answer in base.answers]
    both = replace_answers(base, [*base.answers, *others])
    report = compare_runs([both], [base], 0.05)
    assert [group.dataset for group in report.comparisons] == ["synthetic"]
    assert "only one of the runs has it: other in wrapping" in "\n".join(report.lines())
    with pytest.raises(ValueError, match=r"nothing in common.*synthetic.*other in wrapping"):
        compare_runs([base], [replace_answers(base, others)], 0.05)
    with pytest.raises(ValueError, match="only one of the two runs has"):
        compare_runs([base], [simulate_run(FEW, formats=("bolding", "json"))], 0.05)


def invoke(*arguments):
    return CliRunner().invoke(main, [str(part) for part in arguments], env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return training_file(tmp_path_factory.mktemp("data") / "evaluated.jsonl", ITEMS[:20])


@pytest.fixture(scope="module")
def logs(tmp_path_factory, data):
    """Logs in which prompts have the instruction once and three times."""
    folder = tmp_path_factory.mktemp("runs")
    tasks = [
        format_wrapping(data=str(data), repeat=repeat, formats="bolding,brackets,placeholder")
        for repeat in (1, 3)
    ]
    traits = {"follow_gain": 0.4}
    return [
        write_log(task, folder / str(i), "format_blind", traits) for i, task in enumerate(tasks)
    ]


def test_compare_prints_the_criteria_and_the_verdict(logs):
    done = invoke("compare", *logs)
    assert done.exit_code == 0, done.output
    printed = " ".join(done.output.split())
    for text in ("format_std", "fi falls in no format: yes", "all 60 ", "repeat 1 / 3"):
        assert text in printed
    asked_for = invoke("compare", *logs, "--format", "json", "--margin", "0.9")
    [mitigation] = json.loads(asked_for.stdout)["mitigations"]
    expected = compare_runs(*map(load_format_runs, logs), 0.9).to_dict()
    assert (expected["baseline"], expected["mitigated"]) == tuple(map(str, logs))
    assert mitigation == json.loads(json.dumps(expected))


def test_finetune_data_writes_rows_and_prints_their_numbers(logs, tmp_path):
    train = training_file(tmp_path / "train.jsonl", numbers(100, 1000))
    written = {}
    for name, seed in (("first", 0), ("again", 0), ("other", 1)):
        out = tmp_path / f"{name}.jsonl"
        options = ("--data", train, "--out", out, "--total", 90, "--seed", seed)
        done = invoke("finetune-data", logs[1], *options)
        assert "90 rows in " in done.output
        written[name] = out.read_bytes()
    assert written["first"] == written["again"] != written["other"]
    rows = [json.loads(line)["messages"] for line in written["other"].splitlines()]
    # As in the run, prompts have the instruction three times.
    prompts = [prompt["content"].splitlines() for prompt, _ in rows]
    assert {lines.count(lines[-1]) for lines in prompts} == {3}
    begins = ("**", "[[", "So the answer is: ")
    assert all(answer["content"].startswith(begins) for _, answer in rows)
    wording = {"bolding": "in bold", "brackets": "square", "placeholder": "filling"}
    found = {name: sum(words in lines[-1] for lines in prompts) for name, words in wording.items()}
    cells = [line.split() for line in done.output.splitlines()]
    assert {row[0]: int(row[2]) for row in cells if row and row[0] in found} == found


def test_rows_by_hand():
    """The inverses of 0.6, 0.3 and 0.2 are in proportion 1 to 2 to 3."""
    assert allocate_training_rows({"a": 0.6, "b": 0.3, "c": 0.2}, 12) == {"a": 2, "b": 4, "c": 6}
    assert allocate_training_rows({"a": 1.0, "b": 0.0}, 11) == {"a": 1, "b": 10}
    assert allocate_training_rows({"a": 1, "b": 1, "c": 1}, 4) == {"a": 2, "b": 1, "c": 1}


def test_an_answer_that_a_format_cannot_express_is_skipped():
    item = make_items("string_list", 1, 100)[0]
    broken = replace(item, id="broken", answer=("a\nb", "c"))
    params = FormatParams()
    assert len(build_chat_rows(params, [broken, item], {"bullet": 1, "python": 2}, seed=0)) == 3
    with pytest.raises(UnusableRunError, match="bullet needs 2 rows, but supports only 1 training"):
        build_chat_rows(params, [broken, item], {"bullet": 2}, seed=0)


def test_an_evaluated_item_is_rejected(tmp_path):
    run = simulate_run(FEW, "format_blind")
    path = training_file(tmp_path / "train.jsonl", TRAINING)
    assert [item.input for item in load_training_split(path, [run])] == [
        item.input for item in TRAINING
    ]
    leaked = FEW[7]
    for leak in (
        replace(leaked, id="another"),
        replace(leaked, input="A question of its own?"),
        replace(leaked, id="x", input=f" {leaked.input.upper()}".replace(" ", "\n ")),
    ):
        leaking = training_file(tmp_path / "leaking.jsonl", [*TRAINING, leak])
        with pytest.raises(UnusableRunError, match=f"evaluated: {leak.id}; take"):
            load_training_split(leaking, [run])
