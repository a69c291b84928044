"""What a report is made of: findings in words, what moved, and scales."""

import math

from bias_tasks.contract.family import Outcome
from bias_tasks.contract.figures import figure_of
from bias_tasks.families import load_family
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.report.found import Finding, finding
from bias_tasks.results.report.moved import OTHER, marked, moved, unread
from bias_tasks.results.run import Answered, Run
from bias_tasks.statistics.estimate import Estimate


def of_task(family, task, figure, *values, **beside):
    metrics = {figure: Estimate(*values)} | beside
    return Run(task, "inspect", "m", {"family": family, "task": task}, 1, metrics)


def test_a_headline_is_told_in_words_with_a_verdict():
    """Points of 100 with the interval; what would have been found is 2.8 standard errors."""
    boundary, binary, judges = "instruction_boundary", "binary_qa", "complex_eval"
    formats = "output_format"
    nothing = (math.nan, math.nan, math.nan, 0)
    cases = [
        (boundary, "conformity", "delta_acc", (-0.52, -0.59, -0.44, 90), "FOUND", "bad",
         "follows the suggested answer: 52 fewer of 100 answers are right (44 to 59)"),
        (boundary, "vagueness", "delta_acc", (-0.02, -0.076, 0.036, 90), "NOT SHOWN", "open",
         "no effect found; one of 9 points or more would have been"),
        (boundary, "vagueness", "delta_acc", (-0.01, -0.03, 0.01, 900), "SMALL", "good",
         "1 fewer of 100 answers are right (0 to 3)"),
        (boundary, "vagueness", "delta_acc", (0.2, 0.1, 0.3, 90), "GAIN", "good",
         "20 more of 100 answers are right (10 to 30)"),
        (boundary, "vanilla", "rs", (0.45, 0.4, 0.5, 90), "MEASURED", "open",
         "robustness score 0.450 of 1 (0.400 to 0.500)"),
        (boundary, "vanilla", "rs", nothing, "NOTHING", "open",
         "it needs answers where a common label is right and where a rare one is"),
        (binary, "binaryqa_arc", "arc", (0.8, 0.7, 0.88, 90), "FOUND", "bad",
         "20 of 100 questions get another answer when Yes and No change places (12 to 30)"),
        (binary, "binaryqa_arc", "arc", (0.97, 0.91, 0.99, 90), "NOT SHOWN", "open",
         "3 of 100 questions get another answer when Yes and No change places (1 to 9)"),
        (formats, "format_mcq", "bias_points", (10.0, 6.0, 15.0, 90), "FOUND", "bad",
         "formats are 10 points apart (6 to 15)"),
        (formats, "format_mcq", "bias_points", (0.0, 0.0, 3.0, 90), "SMALL", "good",
         "formats are 0 points apart (0 to 3)"),
        (judges, "complexeval_basic", "attack_cost", (0.3, 0.2, 0.4, 90), "FOUND", "bad",
         "30 more of 100 pairs are judged wrongly once the worse response is attacked (20 to 40)"),
    ]  # fmt: skip
    wrong = []
    for family, task, figure, values, *expected in cases:
        found = finding(of_task(family, task, figure, *values))
        if [found.word, found.tone, found.sentence] != expected:
            wrong.append((found, expected))
    assert not wrong
    silent = of_task(boundary, "vanilla", "rs", 0.5, 0.4, 0.6, 9, unread=Estimate(1.0, 0.9, 1.0, 9))
    assert finding(silent) == Finding("NOTHING", "open", "no answer was read")
    parts = {
        "answers_changed/typo": Estimate(0.1, 0.0, 0.2, 90),
        "answers_changed/order": Estimate(0.3, 0.2, 0.4, 90),
        "score_change/order": Estimate(-0.02, -0.1, 0.1, 90),
    }
    order = of_task("probing", "probe", "most_changed", 0.3, 0.15, 0.4, 90, **parts)
    assert finding(order).sentence == (
        "30 of 100 answers change when it is asked otherwise (order), beyond what change when it "
        "is asked again (15 to 40); the score changes by -2 points"
    )
    for family in ("instruction_boundary", "binary_qa", "output_format", "complex_eval"):
        for spec in load_family(family).tasks.values():
            declared = figure_of(spec.headline[0].replace("*", "x"), load_family(family).figures)
            assert declared.words, (spec.name, "a headline has words for readers")


def answered(item, variant, score, answer="a", why="why"):
    outcome = Outcome(item, item, variant, "g", answer, score, why)
    return Answered({}, outcome, "prompt", "text")


def told(family, *answers):
    task = next(iter(load_family(family).tasks))
    return RunAnswers(of_task(family, task, "x", 0, 0, 0, 1), answers)


def test_right_answers_given_up_are_counted_apart_from_those_gained():
    before = {"lost0": 1.0, "lost1": 1.0, "gained": 0.0, "same": 1.0, "unread": 1.0}
    after = {"lost0": 0.0, "lost1": 0.0, "gained": 1.0, "same": 1.0, "alone": 0.0}
    answers = [answered(item, "vanilla", score) for item, score in before.items()]
    answers += [answered(item, "conformity", score) for item, score in after.items()]
    answers.append(answered("unread", "conformity", 0.0, answer=None))
    answers.append(answered("same", "few_shot", 1.0))
    ways, strongest = moved(told("instruction_boundary", *answers), 3)
    assert ways == [("vanilla", "conformity", 4, 2, 1), ("vanilla", "few_shot", 1, 0, 0)]
    assert [move.change for move in strongest] == [-1.0, -1.0, 1.0]
    assert [move.words for move in strongest][1:] == ["right → wrong", "wrong → right"]


def test_a_judged_response_is_set_beside_itself_before_the_attack():
    compared_with = load_family("complex_eval").compared_with
    others = {
        **{"none/rejected": None, "none/chosen": None, "full/original": None},
        **{"rubric/chosen": "none/chosen", "rubric/rejected": "none/rejected"},
        **{"rubric/rejected~rubric": "rubric/rejected", "none/rejected~rubric": "none/rejected"},
        **{"full/original_2": "full/original", "full/format": "full/original"},
    }
    assert {variant: compared_with(variant) for variant in others} == others


def test_two_prompts_are_shown_as_what_they_differ_in():
    same = [f"w{n} " for n in range(40)]
    before, after = [*same, "Answer", " now."], [*same, "Most say 7. Answer", " now."]
    found = marked("".join(before), "".join(after))
    assert found == [("same", "".join(same)), ("ins", "Most say 7. "), ("same", "Answer now.")]
    assert marked("a b", "a c") == [("same", "a "), ("del", "b"), ("ins", "c")]
    [(kind, text)] = marked("x " * 500, "x " * 500)
    assert (kind, "800 characters left out" in text) == ("same", True)
    assert sum(len(text) for _, text in marked("a " * 1_000_000, "b " * 1_000_000)) < 10_000


def test_unread_answers_are_counted_by_reason_and_shown_one_of_each_first():
    reasons = ["a"] * 5 + ["b"] * 2 + ["c", "d", "e", "f", "g", "h"]
    nothing = [answered(f"i{n}", "original", 0.0, None, why) for n, why in enumerate(reasons)]
    found = unread(told("binary_qa", answered("read", "original", 1.0), *nothing), 3)
    assert (found.unread, found.asked) == (13, 14)
    assert dict(found.reasons) == {"a": 5, "b": 2, "c": 1, "d": 1, "e": 1, "f": 1, OTHER: 2}
    assert [each.outcome.why for each in found.examples] == ["a", "b", "c"]
