"""Mitigations against their base, by figure, in words and by the command; and training rows."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.finetune import chat_rows, format_runs, training_split
from bias_tasks.commands.mitigation import compare_runs, lines
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.metrics import FormatOutcome
from bias_tasks.output_format.mitigation import compare, training_rows
from bias_tasks.results.run import UnusableRunError
from bias_tasks.tasks.output_format import format_wrapping
from tests.bias_tasks.output_format.runs import (
    asked,
    came_to,
    items_of,
    logged,
    numbers,
    of_dataset,
    training_file,
)
from tests.bias_tasks.results.runs import with_answers

FI = (0.9, 0.7, 0.5)
BIASED, LEVEL = (0.9, 0.6, 0.3), (0.6, 0.6, 0.6)
ITEMS = numbers(300)
FEW = ITEMS[:60]
TRAINING = numbers(150, 1000)
UNEVEN = {"accuracy_italicizing": 0.4, "accuracy_placeholder": 0.45, "accuracy_bolding": 0.5}


def planted(seed, n, fi, est_true):
    rng = np.random.default_rng(seed)
    follows = rng.random((n, len(fi))) < fi
    right = follows & (rng.random((n, len(fi))) < est_true)
    return [
        FormatOutcome(str(i), str(i), name, float(follows[i, k]), float(right[i, k]))
        for i in range(n)
        for k, name in enumerate("abcdefg"[: len(fi)])
    ]


def test_a_planted_mitigation_is_shown():
    runs = planted(0, 300, FI, BIASED), planted(1, 300, (0.97, 0.95, 0.9), LEVEL)
    comparison = compare(*runs)
    assert (comparison.holds, comparison.shown) == (True, True)
    assert comparison.falling == comparison.left_out == ()
    delta = comparison.figures["delta_bias_f"]
    assert delta.ci_low < -600 < delta.ci_high < 0
    assert delta.n == 300
    gain = comparison.figures["delta_fi/c"]
    assert gain.ci_low < 0.4 < gain.ci_high
    assert gain.p < 0.001
    fall = -min(comparison.figures[f"delta_fi/{name}"].ci_low for name in "abc")
    assert [compare(*runs, margin=fall + more).shown for more in (0.001, -0.001)] == [True, False]


def test_noise_alone_is_not_shown():
    """Equal respondents: half of them seem less biased, hardly any is shown to be."""
    comparisons = [
        compare(planted(2 * s, 150, FI, BIASED), planted(2 * s + 1, 150, FI, BIASED))
        for s in range(40)
    ]
    falls = [c.figures["delta_bias_f"].value < 0 for c in comparisons]
    assert 10 <= sum(falls) <= 30
    assert sum(c.figures["delta_bias_f"].ci_high < 0 for c in comparisons) <= 4
    assert sum(c.shown for c in comparisons) <= 2


def test_runs_that_cannot_be_compared():
    some = planted(0, 5, FI, BIASED)
    two = planted(0, 2, FI[:2], LEVEL[:2])
    apart = [FormatOutcome("0", "0", "a", 1, 1), FormatOutcome("9", "9", "b", 1, 1)]
    for base, mitigated, message in (
        (some, two, "one of the two runs has c"),
        (two, apart, "no item in common under b"),
    ):
        with pytest.raises(ValueError, match=message):
            compare(base, mitigated)


def compared(base, mitigated):
    """The only group of two runs."""
    (group,) = compare_runs([base], [mitigated], 0.05)["comparisons"]
    return group


def test_verdicts_in_words():
    perfect, level = asked(FEW, "perfect"), asked(ITEMS, "steadfast")
    (first, *rest) = perfect.answers
    once_less = with_answers(perfect, [came_to(first, False, 0.0), *rest])
    one_format = asked(FEW, "perfect", {"follow": 0, "follow_bolding": 1})
    few = [asked(ITEMS[:25], "steadfast", p) for p in ({"accuracy_bolding": 0.7}, {})]
    for base, mitigated, words in (
        (asked(ITEMS, "steadfast", UNEVEN), level, "The mitigation holds"),
        (*few, "met on these items, but their intervals do not bear it out."),
        (asked(ITEMS, "steadfast", UNEVEN), asked(ITEMS, "steadfast", {"follow_placeholder": 0.5}),
         "does not hold: fi falls in placeholder."),
        (perfect, once_less, "bias_f does not fall, and fi falls in special_character."),
        (level, asked(ITEMS, "steadfast", UNEVEN), "does not hold: bias_f does not fall."),
        (one_format, one_format, "It can't be told"),
    ):  # fmt: skip
        assert words in compared(base, mitigated)["verdict"]
    told = compare_runs([one_format], [one_format], 0.05)
    assert told["comparisons"][0]["figures"][0]["difference"] is None
    assert "NaN" not in json.dumps(told)


def test_what_one_run_alone_asked_is_left_out_and_said():
    base, mitigated = asked(ITEMS[:80], "format_blind"), asked(ITEMS[50:120], "format_biased")
    shared = (asked(ITEMS[50:80], "format_blind"), asked(ITEMS[50:80], "format_biased"))
    group = compared(base, mitigated)
    assert group["figures"] == compared(*shared)["figures"]
    sizes = [group[name] for name in ("asked_in_both", "base_only", "mitigated_only")]
    assert sizes == [210, 350, 280]
    text = "\n".join(lines(compare_runs([base], [mitigated], 0.05)))
    assert "210 answers of each run" in text
    assert "left out are 350 of the base" in text
    others = [of_dataset(answer, "other") for answer in base.answers]
    both = with_answers(base, [*base.answers, *others])
    told = compare_runs([both], [base], 0.05)
    assert [group["dataset"] for group in told["comparisons"]] == ["synthetic"]
    assert "as one run alone asked it: other in wrapping" in "\n".join(lines(told))
    with pytest.raises(ValueError, match=r"nothing in common.*synthetic.*other in wrapping"):
        compare_runs([base], [with_answers(base, others)], 0.05)
    with pytest.raises(ValueError, match="only one of the two runs has"):
        compare_runs([base], [asked(FEW, formats=("bolding", "json"))], 0.05)


def invoke(*arguments):
    return CliRunner().invoke(main, [str(part) for part in arguments], env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return training_file(tmp_path_factory.mktemp("data") / "evaluated.jsonl", ITEMS[:20])


@pytest.fixture(scope="module")
def logs(tmp_path_factory, data):
    """Logs in which the instruction stands once and three times."""
    folder = tmp_path_factory.mktemp("runs")
    tasks = [
        format_wrapping(data=str(data), repeat=repeat, formats="bolding,brackets,placeholder")
        for repeat in (1, 3)
    ]
    planted = {"follow_gain": 0.4}
    return [logged(task, folder / str(i), "format_blind", planted) for i, task in enumerate(tasks)]


def test_compare_prints_the_criteria_and_the_verdict(logs):
    done = invoke("compare", *logs)
    assert done.exit_code == 0, done.output
    printed = " ".join(done.output.split())
    for text in ("bias_points", "fi falls in no format: yes", "all 60 ", "repeat 1 / 3"):
        assert text in printed
    asked_for = invoke("compare", *logs, "--format", "json", "--margin", "0.9")
    [mitigation] = json.loads(asked_for.stdout)["mitigations"]
    expected = compare_runs(*map(format_runs, logs), 0.9)
    names = {"base": str(logs[0]), "mitigated": str(logs[1]), "margin": 0.9}
    assert mitigation == json.loads(json.dumps(names | expected))


def test_finetune_data_writes_rows_and_says_how_many(logs, tmp_path):
    train = training_file(tmp_path / "train.jsonl", numbers(100, 1000))
    written = {}
    for name, seed in (("first", 0), ("again", 0), ("other", 1)):
        out = tmp_path / f"{name}.jsonl"
        given = ("--data", train, "--out", out, "--total", 90, "--seed", seed)
        done = invoke("finetune-data", logs[1], *given)
        assert "90 rows in " in done.output
        written[name] = out.read_bytes()
    assert written["first"] == written["again"] != written["other"]
    rows = [json.loads(line)["messages"] for line in written["other"].splitlines()]
    # As in the run, the instruction stands three times.
    prompts = [prompt["content"].splitlines() for prompt, _ in rows]
    assert {lines.count(lines[-1]) for lines in prompts} == {3}
    begins = ("**", "[[", "So the answer is: ")
    assert all(answer["content"].startswith(begins) for _, answer in rows)
    wording = {"bolding": "in bold", "brackets": "square", "placeholder": "filling"}
    found = {name: sum(words in lines[-1] for lines in prompts) for name, words in wording.items()}
    cells = [line.split() for line in done.output.splitlines()]
    assert {row[0]: int(row[2]) for row in cells if row and row[0] in found} == found


def test_rows_by_hand():
    """Inverse shares of 0.6, 0.3 and 0.2 are 1, 2 and 3 parts of 6."""
    assert training_rows({"a": 0.6, "b": 0.3, "c": 0.2}, 12) == {"a": 2, "b": 4, "c": 6}
    assert training_rows({"a": 1.0, "b": 0.0}, 11) == {"a": 1, "b": 10}
    assert training_rows({"a": 1, "b": 1, "c": 1}, 4) == {"a": 2, "b": 1, "c": 1}


def test_an_answer_that_a_format_cannot_hold_is_passed_over():
    item = items_of("string_list", 1, 100)[0]
    broken = replace(item, id="broken", answer=("a\nb", "c"))
    run = FormatParams()
    assert len(chat_rows(run, [broken, item], {"bullet": 1, "python": 2}, seed=0)) == 3
    with pytest.raises(UnusableRunError, match="bullet gets 2 rows, but there are 1 training"):
        chat_rows(run, [broken, item], {"bullet": 2}, seed=0)


def test_an_evaluated_item_is_refused(tmp_path):
    run = asked(FEW, "format_blind")
    path = training_file(tmp_path / "train.jsonl", TRAINING)
    assert [item.input for item in training_split(path, [run])] == [item.input for item in TRAINING]
    leaked = FEW[7]
    for leak in (
        replace(leaked, id="another"),
        replace(leaked, input="A question of its own?"),
        replace(leaked, id="x", input=f" {leaked.input.upper()}".replace(" ", "\n ")),
    ):
        leaking = training_file(tmp_path / "leaking.jsonl", [*TRAINING, leak])
        with pytest.raises(UnusableRunError, match=f"evaluated: {leak.id}; take"):
            training_split(leaking, [run])
