"""The True score: what is read of answers that do not follow, and all of it computed otherwise."""

import math
import random
from collections import defaultdict
from statistics import fmean, stdev

import pytest
from inspect_ai import score as inspect_score
from scipy.stats import t as student

from bias_tasks import output_format_tasks as tasks
from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.metrics import MetricOptions
from bias_tasks.output_format.metrics_groups import compute_run_metrics
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.scoring_data import FormatExtra
from bias_tasks.scorers.outcome import outcome as outcome_scorer
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.output_format.runs import evaluated, make_items


def scoring_data(answer_type, format="bolding", **params):
    [item] = make_items(answer_type, 1, first=1)  # gold is B, `b 1`, or the number 2
    return FormatQuestion(item, format, FormatParams(**params)).scoring_data()


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_the_option_that_an_answer_names_is_scored_though_it_does_not_follow(protocol):
    data = scoring_data("option_letter", protocol=protocol)
    for text, recovered_score in (
        ("The answer is B.", 1),
        ("b 1", 1),
        ("[[A]]", 0),
        ("A and B", 0),  # several are named: wrong, but read
        ("I do not know.", None),
        ("", None),
        ("**B**", None),  # follows: its score is the score
    ):
        outcome = FAMILY.score_visible_text(data, Answer(text))
        assert outcome.extra.recovered_score == recovered_score, text
        assert outcome.extra.follows == outcome.score == (text == "**B**"), text
    for answer_type in ("number", "text"):  # no parser reads a free answer outside of its format
        outcome = FAMILY.score_visible_text(scoring_data(answer_type), Answer("The answer is 2."))
        assert (outcome.extra.follows, outcome.extra.recovered_score) == (False, None)


def test_a_grader_reads_what_the_parser_does_not():
    data, answer = scoring_data("number"), Answer("That makes 1 + 1, so 2 apples.")
    request = FAMILY.verdict_request(data, answer)
    assert "the number that is the final answer" in request.prompt
    outcome = FAMILY.parse_verdict(data, answer, '{"verdict": "2"}')
    assert (outcome.answer, outcome.score, outcome.extra.follows) == (None, 0, False)
    assert (outcome.extra.graded, outcome.extra.recovered_score) == (True, 1)
    assert outcome.explanation.endswith("; a grader reads '2'")
    assert FAMILY.parse_verdict(data, answer, "3").extra.recovered_score == 0
    for reply in ("unreadable", "", '{"verdict": null}'):
        outcome = FAMILY.parse_verdict(data, answer, reply)
        assert (outcome.extra.graded, outcome.extra.recovered_score) == (False, None)
    options = scoring_data("option_letter")
    assert FAMILY.verdict_request(options, Answer("The answer is B.")) is None  # read by the parser
    answer = Answer("It may be the second one.")
    assert FAMILY.verdict_request(options, answer) is not None
    assert FAMILY.parse_verdict(options, answer, "B").extra.recovered_score == 1
    assert FAMILY.parse_verdict(options, answer, "the second").extra.recovered_score is None
    lists = FormatQuestion(make_items("string_list", 1)[0], "bullet", FormatParams())
    assert FAMILY.verdict_request(lists.scoring_data(), Answer("none of it")) is None


def test_a_run_with_a_grader_has_the_true_score_and_the_same_fi(tmp_path):
    rows = [
        {"id": f"q{i}", "input": f"What is {i} + 1?", "answer": i + 1, "answer_type": "number"}
        for i in range(4)
    ]
    path = str(write_jsonl(tmp_path / "mine.jsonl", rows))
    replies = ("**1**", "It is 2.", "It is 9.", "Who knows?")
    model = mock(lambda prompt: next(r for i, r in enumerate(replies) if f"is {i} + 1" in prompt))
    log = evaluated(tasks.format_wrapping(path, formats="bolding"), tmp_path, model)
    before = values(log)
    assert (before["fi/bolding"], before["sys/bolding"]) == (0.25, 0.25)
    assert (before["true_score_low/bolding"], before["true_score_high/bolding"]) == (0.25, 1)
    assert math.isnan(before["true_score/bolding"])

    def grade(prompt):
        return next((n for n in "29" if f"It is {n}." in prompt), "unreadable")

    [scorer] = log.eval.scorers
    graded = inspect_score(
        log,
        outcome_scorer(**scorer.options),
        model_roles={"grader": mock(grade, "grader")},
        action="overwrite",
    )
    after = values(graded)
    for name in ("fi", "sys", "est_true", "true_score_low", "true_score_high"):
        assert after[f"{name}/bolding"] == before[f"{name}/bolding"]
    assert after["true_score/bolding"] == pytest.approx(2 / 3)  # of 1, 2 and 9
    assert after["true_score_coverage/bolding"] == 0.75


def drawn_outcomes(seed, protocol):
    """Outcomes of 30 items in three data sets and four formats, some in two epochs."""
    rng = random.Random(seed)
    rows = []
    for dataset in ("mmlu", "bbh", "gsm8k"):
        for name in ("bolding", "italicizing", "brackets", "quoting"):
            share, alike = rng.random(), rng.random() < 0.2
            for i in range(30):
                for epoch in (1, 2)[: 1 + (dataset == "bbh")]:
                    follows = rng.random() < share
                    score = 1.0 if alike else rng.choice([0, 0, 0.25, 1])
                    extracted = score if follows or protocol == "published" else 0.0
                    read = None if follows or rng.random() < 0.4 else rng.choice([0.0, 0.5, 1.0])
                    extra = FormatExtra(
                        follows=follows,
                        dataset=dataset,
                        category="wrapping",
                        prompting="zs",
                        format=name,
                        form=0,
                        recovered_score=read,
                    )
                    rows.append(
                        Outcome(
                            f"{dataset}{i}", f"{dataset}{i}", name, "g", None, extracted, "",
                            epoch=epoch, extra=extra,
                        )
                    )  # fmt: skip
    return rows


def recomputed(rows, protocol):
    """The same metrics from single answers, with the standard library and scipy's t alone."""
    groups = defaultdict(list)
    for row in rows:
        groups[row.extra.dataset, row.extra.format].append(row)
    expected = {}
    for (dataset, name), answers in groups.items():
        total = len(answers)
        followed = [row.score for row in answers if row.extra.follows]
        others = [row.extra.recovered_score for row in answers if not row.extra.follows]
        read = [score for score in others if score is not None]
        by_name = {
            "true_score_low": sum(followed) / total,
            "true_score_high": (sum(followed) + len(others)) / total,
            "true_score": fmean(followed + read) if read or not others else math.nan,
            "true_score_coverage": (len(followed) + len(read)) / total,
        }
        epochs = max(row.epoch for row in answers)
        if epochs == 1 or protocol == "corrected":
            # An item's answers count as their mean: n is the sum of the items' shares.
            items = defaultdict(list)
            for row in answers:
                items[row.item].append(row)
            shares = [sum(r.extra.follows for r in rs) / epochs for rs in items.values()]
            means = [
                fmean(scores) if (scores := [r.score for r in rs if r.extra.follows]) else 0.0
                for rs in items.values()
            ]
            n = sum(shares)
            if epochs == 1:
                deviation = stdev(followed) if n > 1 else math.nan
            else:
                mean = sum(s * m for s, m in zip(shares, means, strict=True)) / n
                squares = sum(s * (m - mean) ** 2 for s, m in zip(shares, means, strict=True))
                deviation = math.sqrt(squares / (n - 1)) if n > 1 else math.nan
            verdict, needed = 0.0 if n == 1 else math.nan, math.nan
            if n > 1 and (deviation > 1e-9 or protocol == "published"):
                critical = student.ppf(0.975, n if protocol == "published" else n - 1)
                margin = critical * deviation / math.sqrt(n)
                correction = math.sqrt((len(items) - n) / len(items))
                verdict = float(margin * correction < 0.05)
                spread = (critical * deviation) ** 2
                needed = spread / (spread + len(items) * 0.05**2)
            by_name |= {"reliable": verdict, "needed_fi": needed}
        expected |= {f"{dataset}/{metric}/{name}": value for metric, value in by_name.items()}
    return expected


def test_new_and_changed_metrics_agree_with_a_recomputation_from_single_answers():
    n_values = n_undefined = 0
    for protocol in ("corrected", "published"):
        for seed in range(6):
            rows = drawn_outcomes(seed, protocol)
            metrics = compute_run_metrics(rows, MetricOptions(protocol=protocol))
            expected = recomputed(rows, protocol)
            actual = {name: metrics[name].value for name in expected}
            if protocol == "published":
                # Over epochs, a published score that exceeds the share that follows is attributed
                # to the answers that follow first, which single answers contradict.
                for name in [n for n in expected if n.startswith("bbh/") and "coverage" not in n]:
                    del expected[name], actual[name]
            assert actual == pytest.approx(expected, nan_ok=True)
            n_values += len(expected)
            n_undefined += sum(map(math.isnan, expected.values()))
    assert n_values > 700, n_values
    assert 10 < n_undefined < n_values / 2, n_undefined
