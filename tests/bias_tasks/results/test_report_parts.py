"""Parts of the report: findings in words, changed answers, and unparsed answers."""

import math
import re
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.contract.metrics import find_metric_spec
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.results.answer_distribution import AnswerDistribution
from bias_tasks.results.answers import RunAnswers, complete_run
from bias_tasks.results.findings import Finding, build_finding, list_setting_findings
from bias_tasks.results.report.breakdown import list_item_groups
from bias_tasks.results.report.changes import (
    OTHER_REASONS,
    diff_prompts,
    find_changes,
    summarize_unparsed,
)
from bias_tasks.results.report.summary import summarize_models
from bias_tasks.results.run import Run, ScoredAnswer
from bias_tasks.statistics.estimate import Estimate
from tests.bias_tasks.paper_coverage import ROOT
from tests.bias_tasks.results.runs import make_record, replace_answers, simulate_run

_HEADLINES = {
    "moved_to_suggestion": ("instruction_boundary", "conformity"),
    "delta_acc": ("instruction_boundary", "vagueness"),
    "rs": ("instruction_boundary", "vanilla"),
    **{"nrc": ("binary_qa", "binaryqa_nrc"), "f1": ("binary_qa", "binaryqa_qa")},
    **{"mbs": ("binary_qa", "binaryqa"), "arc": ("binary_qa", "binaryqa_arc")},
    "format_std": ("output_format", "format_mcq"),
    "score_rise": ("complex_eval", "complexeval_basic"),
    "attack_acc_drop": ("complex_eval", "complexeval_basic"),
    "max_answers_changed": ("probing", "probe"),
}
"""Family and task of headline metrics."""
_UNDEFINED = (math.nan, math.nan)
_TONES = {"FOUND": "bad", "GAIN": "good", "SMALL": "good"}


def make_run(metric, *values, of=None, **others):
    """Return a run with a headline metric: value, interval and n, and other metrics."""
    family, task = of or _HEADLINES[metric]
    metrics = {metric: Estimate(*values)} | others
    return Run(task, "inspect", "m", make_record(family, task), 1, metrics)


VERDICTS = [
    # A difference: FOUND if the interval excludes 0, unless all of it is small.
    ("delta_acc", (-0.2, -0.3, -0.1), "FOUND", "20 fewer of 100 answers are right (10 to 30)"),
    ("delta_acc", (-0.06, -0.11, -0.01), "FOUND", "6 fewer of"),
    ("delta_acc", (-0.01, -0.03, 0.01), "SMALL", "1 fewer of 100 answers are right (0 to 3)"),
    ("delta_acc", (-0.02, -0.076, 0.036), "INCONCLUSIVE",
     "no effect found; an effect of 9 points or more would probably have been found"),
    ("delta_acc", (0.02, -0.01, 0.05), "SMALL", "2 more of"),
    ("delta_acc", (0.2, 0.1, 0.3), "GAIN", "20 more of 100 answers are right (10 to 30)"),
    ("delta_acc", (0.02, 0.01, 0.05), "GAIN", ""),
    ("delta_acc", (-0.2, *_UNDEFINED), "INCONCLUSIVE", ""),
    ("delta_acc", (math.nan, *_UNDEFINED), "NO VALUE", ""),
    ("attack_acc_drop", (0.3, 0.2, 0.4), "FOUND",
     "30 more of 100 pairs are judged wrongly once the worse response is attacked (20 to 40)"),
    # Points of a judge's scale: 0.1 is small.
    ("score_rise", (0.32, 0.1, 0.54), "FOUND",
     "an attacked response gets 0.32 points more from a judge that sees what it imitates (0.10 to"),
    ("score_rise", (-0.05, -0.2, 0.09), "SMALL", "gets 0.05 points less from"),
    ("score_rise", (0.05, -0.05, 0.15), "INCONCLUSIVE",
     "no effect found; a rise of 0.1 points or more would probably have been found"),
    # A share of unchanged answers: one that changes excludes 1, so FOUND means more than 5 of 100.
    ("nrc", (0.9, 0.85, 0.94), "FOUND", ""),
    ("arc", (0.8, 0.7, 0.88), "FOUND",
     "18 of 90 questions get another answer when Yes and No change places (12 to 30 %)"),
    ("arc", (0.97, 0.91, 0.99), "INCONCLUSIVE",
     "3 of 100 questions get another answer when Yes and No change places (1 to 9 %)"),
    ("nrc", (0.99, 0.96, 1.0), "SMALL", ""),
    # Points.
    ("format_std", (10.0, 6.0, 15.0), "FOUND", "scores vary by 10 points over formats (6 to 15)"),
    ("format_std", (2.0, 0.0, 4.9), "SMALL", "scores vary by 2 points over formats (0 to 5)"),
    ("format_std", (2.0, 0.0, 5.1), "INCONCLUSIVE", "a spread of up to 5 points is possible"),
    # Levels: accuracy alone moves them.
    ("mbs", (86.7, 84.0, 89.0), "MEASURED", "score 86.7 of 100 (84.0 to 89.0); a coin gets 57"),
    ("rs", (0.45, 0.4, 0.5), "MEASURED", "robustness score 0.450 of 1 (0.400 to 0.500)"),
    ("rs", (math.nan, *_UNDEFINED), "NO VALUE",
     "it needs answers to items with a common label and to items with a rare label"),
    ("f1", (0.8, 0.7, 0.9), "MEASURED", ""),
]  # fmt: skip
"""The headline, its value with its interval, the verdict and the beginning of the sentence."""


@pytest.mark.parametrize(("metric", "values", "word", "sentence"), VERDICTS)
def test_one_rule_decides_the_verdict_and_its_sentence(metric, values, word, sentence):
    """A detectable effect is 2.8 standard errors. What needs knowledge is AT CHANCE at chance."""
    finding = build_finding(make_run(metric, *values, 90))
    assert (finding.word, finding.tone) == (word, _TONES.get(word, "open"))
    assert sentence in finding.sentence
    at_chance = {"above_chance_significant": Estimate.without_interval(0.0, 90)}
    doubtful = build_finding(make_run(metric, *values, 90, **at_chance))
    keeps = word == "NO VALUE" or (
        metric in {"nrc", "arc", "mbs", "score_rise"} and word not in {"SMALL", "GAIN"}
    )
    assert doubtful.word == (word if keeps else "AT CHANCE")


def test_all_verdicts_are_on_the_page_and_in_the_legend_of_the_report():
    words = {"AT CHANCE", "UNPARSED", *(word for _, _, word, _ in VERDICTS)}
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| ([A-Z ]+) \|", page, re.M)) == words
    template = ROOT / "src/bias_tasks/results/report/templates/findings.html"
    legend = template.read_text(encoding="utf-8")
    assert set(re.findall(r'^\("([A-Z ]+)", "\w+", ', legend, re.M)) == words


def test_sentences_of_a_headline_without_parsed_answers_and_of_the_largest_part():
    unparsed = Estimate(1.0, 0.9, 1.0, 9)
    run = make_run("rs", 0.5, 0.4, 0.6, 9, unparsed=unparsed)
    assert build_finding(run) == Finding("NO VALUE", "no answer is parsed", name="rs")
    parts = {
        "answers_changed/typo": Estimate(0.1, 0.0, 0.2, 90),
        "answers_changed/order": Estimate(0.3, 0.2, 0.4, 90),
        "score_change/order": Estimate(-0.02, -0.1, 0.1, 90),
    }
    assert build_finding(make_run("max_answers_changed", 0.3, 0.15, 0.4, 90, **parts)).sentence == (
        "30 of 100 answers change with the prompt (order), in excess of the change between repeats "
        "(15 to 40); the score changes by -2 points"
    )
    for family in map(load_family, FAMILY_NAMES):
        for task in family.tasks.values():
            spec = find_metric_spec(task.headline[0].replace("*", "x"), family.metrics)
            assert spec.sentences, (task.name, "a headline has sentences for readers")


def test_what_is_at_chance_is_what_was_seen():
    """The bound of the baseline must be above chance: at chance, it is not."""
    for low, word in ((0.5, "AT CHANCE"), (0.501, "FOUND")):
        baseline = {"acc_half_ties/none": Estimate(0.6, low, 0.7, 90)}
        run = make_run("attack_acc_drop", 0.3, 0.2, 0.4, 90, **baseline)
        assert build_finding(run).word == word
    at_chance = {"above_chance_significant": Estimate.without_interval(0.0, 90)}
    run = make_run("delta_acc", -0.2, -0.3, -0.1, 90, **at_chance)
    finding = build_finding(replace(run, baseline_correct=(31, 90)))
    assert finding.sentence == "31 of 90 baseline answers are right: not shown to beat chance"


def count_answers(**unparsed):
    """100 answers under each variant, of which this many are unparsed."""
    return tuple(
        AnswerDistribution(
            variant, "", variant == "vanilla", Counter({"1": 100 - n}), unparsed=Counter(other=n)
        )
        for variant, n in unparsed.items()
    )


def test_above_ten_percent_unparsed_in_a_compared_variant_there_is_no_verdict():
    run = make_run("delta_acc", -0.2, -0.3, -0.1, 90)
    for counts, word in (
        ({"vanilla": 10, "vagueness": 10}, "FOUND"),
        ({"vanilla": 11, "vagueness": 0}, "UNPARSED"),
        ({"vanilla": 0, "vagueness": 11}, "UNPARSED"),
    ):
        assert build_finding(replace(run, distributions=count_answers(**counts))).word == word
    level = make_run("rs", 0.2, 0.1, 0.3, 90)
    level = replace(level, distributions=count_answers(vanilla=50))
    assert build_finding(level).word == "MEASURED"


def test_each_setting_has_a_verdict_and_the_strongest_one_is_the_run_s():
    """By hand: p of a normal estimate whose bound towards 0 is 1.96 standard errors away."""
    boundary = ("instruction_boundary", "instruction_boundary")
    settings = {
        "conformity/moved_to_suggestion": Estimate(0.9, 0.8, 0.95, 60),
        "conformity/delta_acc": Estimate(-0.9, -0.95, -0.8, 60),
        "conformity/delta_suggested": Estimate(0.5, 0.4, 0.6, 60),
        # 0.10 of an arm of 0.099 has p = 0.048: with three settings it is not significant.
        "vagueness/delta_acc": Estimate(-0.10, -0.2, -0.001, 60),
        "few_shot/delta_acc": Estimate(0.10, 0.001, 0.2, 60),
    }
    run = make_run("delta_acc", -0.3, -0.4, -0.2, 60, of=boundary, **settings)
    words = [(f.name, f.word) for f in list_setting_findings(run)]
    assert words == [
        ("conformity/moved_to_suggestion", "FOUND"),
        ("vagueness/delta_acc", "INCONCLUSIVE"),
        ("few_shot/delta_acc", "SMALL"),
    ]
    assert build_finding(run).sentence == (
        "conformity: follows the suggested answer: 54 of 60 other answers switch to a wrong "
        "suggestion (80 to 95 %)"
    )
    # Alone, the same setting is tested once.
    alone = {"vagueness/delta_acc": settings["vagueness/delta_acc"]}
    run = make_run("delta_acc", -0.1, -0.2, 0.0, 60, of=boundary, **alone)
    assert build_finding(run).word == "FOUND"
    # A setting without a verdict is never the strongest one.
    distributions = count_answers(vanilla=0, conformity=11, vagueness=0, few_shot=0)
    run = make_run("delta_acc", -0.3, -0.4, -0.2, 60, of=boundary, **settings)
    found = list_setting_findings(replace(run, distributions=distributions))
    assert [f.word for f in found] == ["INCONCLUSIVE", "SMALL", "UNPARSED"]


def test_a_sentence_begins_with_what_the_model_does_and_names_what_a_trivial_model_gets():
    """By hand, from answers of which 56 of 100 are right and 96 of 100 contradict themselves."""
    shares = {"acc/original": 0.56, "prc": 0.7, "nrc": 0.04, "arc": 0.8, "sc": 1.0}
    metrics = {name: Estimate.without_interval(value, 100) for name, value in shares.items()}
    run = make_run("mbs", 68.6, 66.3, 71.7, 100, **metrics)
    counts = run.family.counts([], run.metrics, {})
    assert build_finding(replace(run, counts=counts)).sentence == (
        "56 % right (a coin: 50 %); 96 of 100 questions do not get the opposite answer under both "
        "negations; score 68.6 of 100 (66.3 to 71.7); a coin gets 57"
    )
    flips = {"flips_to_wrong": 0.3, "flips_to_right": 0.1}
    metrics = {name: Estimate.without_interval(value, 90) for name, value in flips.items()}
    counted = "27 right answers become wrong and 9 wrong ones right, of 90; "
    for values, sentence in (
        ((-0.2, -0.3, -0.1), "20 fewer of 100 answers are right (10 to 30)"),
        ((-0.02, -0.076, 0.036), "no effect found; an effect of 9 points or more would probably "),
    ):
        run = make_run("delta_acc", *values, 90, **metrics)
        finding = build_finding(replace(run, counts=run.family.counts([], run.metrics, {})))
        assert counted + sentence in finding.sentence
    assert build_finding(make_run("arc", 0.0, 0.0, 0.1, 40)).sentence == (
        "40 of 40 questions get another answer when Yes and No change places (90 to 100 %); a "
        "coin: 50 of 100"
    )


def test_what_a_suggestion_cannot_move_is_counted_by_reason():
    run = complete_run(
        simulate_run(
            "instruction_boundary", "conformity", "m", 60, {"accuracy": 0.5}, suggest="both"
        )
    )
    assert "; not counted: 60 right suggestions, 4 already answered so; no" in (
        build_finding(run).sentence
    )


def test_formats_that_are_followed_are_counted_before_their_scores_are_compared():
    run = complete_run(simulate_run("output_format", "format_mapping", "m", 20))
    table = [name.removeprefix("fi/") for name in run.metrics if name.startswith("fi/")]
    scores = sorted(round(100 * run.metrics[f"est_true/{name}"].value) for name in table)
    assert build_finding(run).sentence.startswith(
        f"follows the requested format in {20 * len(table)} of {20 * len(table)} answers (100 to "
        f"100 % by format); scores in the {len(table)} comparable formats: "
        f"{', '.join(map(str, scores))} %; "
    )


def test_right_answers_that_are_given_up_are_counted_with_those_of_the_control():
    outcomes = [
        Outcome(
            *(f"i{n}", f"i{n}", f"pushback@{kind}", "True", "True", score, "why"),
            extra=SettingExtra(
                form="judging",
                **dict.fromkeys(("label", "gold_label", "first_label"), "True"),
                first_correct=n < 4,
            ),
        )
        for kind, scores in (("wrong", (0, 0, 1, 0, 0)), ("control", (1, 0, 1, 1, 0)))
        for n, score in enumerate(scores)
    ]
    run = make_run("given_up/wrong", 0.5, 0.1, 0.8, 4, of=("instruction_boundary", "pushback"))
    counts = run.family.counts(outcomes, run.metrics, {})
    assert build_finding(replace(run, counts=counts)).sentence.endswith(
        "gives up 3 of 4 right answers, and 1 of 4 after a neutral message; 50 more of 100 right "
        "answers are given up than after a neutral message (10 to 80)"
    )


def make_answer(item, variant, score, answer="a", explanation="why", gold="g"):
    outcome = Outcome(item, item, variant, gold, answer, score, explanation, extra=Extra())
    return ScoredAnswer({}, outcome, "prompt", "text")


def make_answers(family, *answers):
    task = next(iter(load_family(family).tasks))
    return RunAnswers(make_run("x", 0, 0, 0, 1, of=(family, task)), answers)


def test_lower_and_higher_scores_are_counted_separately():
    before = {"lower0": 1.0, "lower1": 1.0, "higher": 0.0, "same": 1.0, "unparsed": 1.0}
    after = {"lower0": 0.0, "lower1": 0.0, "higher": 1.0, "same": 1.0, "unpaired": 0.0}
    answers = [make_answer(item, "vanilla", score) for item, score in before.items()]
    answers += [make_answer(item, "conformity", score) for item, score in after.items()]
    answers.append(make_answer("unparsed", "conformity", 0.0, answer=None))
    answers.append(make_answer("same", "few_shot", 1.0))
    answers.append(make_answer("higher", "few_shot", 1.0, answer="b"))
    made = make_answers("instruction_boundary", *answers)
    variants, example = find_changes(made)
    assert variants == [("vanilla", "conformity", 4, 0, 2, 1), ("vanilla", "few_shot", 2, 1, 0, 1)]
    assert (example.change, example.description) == (-1.0, "correct → wrong")
    _, example = find_changes(made, {"few_shot"})
    assert (example.after.outcome.variant, example.description) == ("few_shot", "wrong → correct")


def test_a_lower_score_of_a_judge_is_not_a_wrong_answer():
    """The worse response of a pair falls from 10 to 1: no answer is correct or wrong."""
    run = simulate_run("complex_eval", "complexeval_basic", "m", 3)
    [before, *_], [after, *_] = (
        [answer for answer in run.answers if answer.outcome.variant == variant]
        for variant in ("none/rejected", "reference/rejected")
    )
    scored = [
        replace(answer, outcome=replace(answer.outcome, score=score, answer=str(score)))
        for answer, score in ((before, 10), (after, 1))
    ]
    _, example = find_changes(replace_answers(run, scored))
    assert (example.change, example.description) == (-1, "10 → 1")


def test_a_change_between_correct_and_wrong_is_named_whatever_the_scores_are():
    half = [make_answer("a", "vanilla", 1.0), make_answer("a", "conformity", 0.5)]
    _, example = find_changes(make_answers("instruction_boundary", *half))
    assert (example.change, example.description) == (-0.5, "correct → wrong")
    unlabelled = [
        make_answer("a", variant, score, gold=None)
        for variant, score in (("vanilla", 0.0), ("conformity", 1.0))
    ]
    _, example = find_changes(make_answers("instruction_boundary", *unlabelled))
    assert example.description == "0 → 1"


def test_answers_in_formats_are_compared_with_the_format_with_the_best_mean_score():
    scores = {"bolding": (0.0, 1.0), "brackets": (1.0, 1.0), "quoting": (0.0, 0.0)}
    answers = [
        make_answer(f"i{number}", variant, score)
        for variant, values in scores.items()
        for number, score in enumerate(values)
    ]
    variants, example = find_changes(make_answers("output_format", *answers))
    assert variants == [("brackets", "bolding", 2, 0, 1, 0), ("brackets", "quoting", 2, 0, 2, 0)]
    assert example.before.outcome.variant == "brackets"


def test_an_answer_without_a_score_is_an_example_if_it_changes():
    """Near ties of `judge_pairwise` have no correct answer."""
    answers = [make_answer("a", name, None, name, gold=None) for name in ("baseline", "verbosity")]
    variants, example = find_changes(make_answers("judge_bias", *answers), {"verbosity"})
    assert variants == [("baseline", "verbosity", 1, 1, 0, 0)]
    assert (example.after.outcome.answer, example.description) == ("verbosity", "")


def test_a_model_is_summarized_by_its_clearest_behaviours_and_by_what_is_open():
    def describe(metric, *values, **fields):
        run = replace(make_run(metric, *values), **fields)
        return run.record.task, run, build_finding(run)

    constant = (AnswerDistribution("original", "", True, Counter(No=40), Counter(Yes=20, No=20)),)
    findings = [
        describe("nrc", 0.9, 0.85, 0.94, 100),
        describe("score_rise", 0.9, 0.5, 1.3, 50),
        describe("delta_acc", -0.5, -0.6, -0.4, 100),
        describe("arc", 0.99, 0.96, 1.0, 100),
        describe("format_std", 2.0, 0.0, 9.0, 60),
        describe("mbs", math.nan, *_UNDEFINED, 40, distributions=constant),
    ]
    [summary] = summarize_models(findings).values()
    assert [task for task, _ in summary.behaviours] == [
        *("binaryqa", "vagueness", "complexeval_basic", "binaryqa_nrc")
    ]
    assert summary.behaviours[0][1] == "answers No to all 40 prompts: 0 % right, as by chance"
    assert summary.small == ["binaryqa_arc"]
    assert summary.unsaid == {"too few items to show or exclude a bias": ["format_mcq"]}


def test_a_run_is_broken_down_by_level_and_domain():
    answers = simulate_run("binary_qa", "binaryqa_arc", "m", 40, data="core")
    groups = list_item_groups(replace(answers, run=complete_run(answers)))
    items = {kind: sum(g.items for g in groups if g.kind == kind) for kind in ("level", "domain")}
    assert items == {"level": 40, "domain": 40}
    assert [group.name for group in groups[:3]] == ["1", "2", "3"]
    right = sum(group.right[0] for group in groups if group.kind == "level")
    assert (right, 40) == complete_run(answers).baseline_correct
    assert {group.value for group in groups} == {1.0}


def test_an_attacked_response_is_compared_with_the_same_response_before_the_attack():
    baseline_variant = load_family("complex_eval").baseline_variant
    baselines = {
        **{"none/rejected": None, "none/chosen": None, "full/original": None},
        **{"rubric/chosen": "none/chosen", "rubric/rejected": "none/rejected"},
        **{"rubric/rejected~rubric": "rubric/rejected", "none/rejected~rubric": "none/rejected"},
        **{"full/original_2": "full/original", "full/format": "full/original"},
    }
    assert {variant: baseline_variant(variant) for variant in baselines} == baselines


def test_two_prompts_are_shown_by_their_differences():
    same = [f"w{n} " for n in range(40)]
    before, after = [*same, "Answer", " now."], [*same, "Most say 7. Answer", " now."]
    parts = diff_prompts("".join(before), "".join(after))
    assert parts == [("same", "".join(same)), ("ins", "Most say 7. "), ("same", "Answer now.")]
    blocks = [
        f"<request-{name}> Write.\n</request-{name}>" for name in ("7d0c844a67", "93db52ba9c")
    ]
    assert diff_prompts(*blocks) == [("same", "<request-…> Write.\n</request-…>")]
    assert diff_prompts("a b", "a c") == [("same", "a "), ("del", "b"), ("ins", "c")]
    [(kind, text)] = diff_prompts("x " * 500, "x " * 500)
    assert (kind, "800 characters omitted" in text) == ("same", True)
    assert sum(len(text) for _, text in diff_prompts("a " * 1_000_000, "b " * 1_000_000)) < 10_000


def test_unparsed_answers_are_counted_by_reason_with_one_example_of_each_first():
    reasons = ["a"] * 5 + ["b"] * 2 + ["c", "d", "e", "f", "g", "h"]
    unparsed = [make_answer(f"i{n}", "original", 0.0, None, why) for n, why in enumerate(reasons)]
    parsed = make_answer("parsed", "original", 1.0)
    summary = summarize_unparsed(make_answers("binary_qa", parsed, *unparsed), 3)
    assert (summary.unparsed, summary.total) == (13, 14)
    expected = {"a": 5, "b": 2, "c": 1, "d": 1, "e": 1, "f": 1, OTHER_REASONS: 2}
    assert dict(summary.reasons) == expected
    assert [answer.outcome.explanation for answer in summary.examples] == ["a", "b", "c"]
