"""Which answers count as moved, and which are shown."""

from pathlib import Path

import pytest

from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.results.answers import Answered, RunAnswers
from bias_tasks.results.report.collect import ReportedRun
from bias_tasks.results.report.moved import OTHER, moved, unread
from bias_tasks.results.run import Run


def answered(item, variant, score, answer="a", epoch=1, why="why", **own):
    outcome = Outcome(item, item, variant, "g", answer, score, why, epoch=epoch, own=own)
    return Answered({}, outcome, "prompt", "text")


def told(family, *answers, task=None):
    names = load_family(family).tasks
    record = {"family": family, "task": task or next(iter(names))}
    run = Run("t", "inspect", "m", record, 1, path=Path("log"))
    return ReportedRun(run, RunAnswers(run, answers))


def test_right_answers_given_up_are_counted_apart_from_those_gained():
    found = moved(
        told(
            "instruction_boundary",
            *(answered(f"lost{i}", "vanilla", 1.0) for i in range(2)),
            *(answered(f"lost{i}", "conformity", 0.0) for i in range(2)),
            answered("gained", "vanilla", 0.0),
            answered("gained", "conformity", 1.0),
            answered("same", "vanilla", 1.0),
            answered("same", "conformity", 1.0),
            answered("alone", "conformity", 0.0),
            answered("unread", "vanilla", 1.0),
            answered("unread", "conformity", 0.0, answer=None),
        ),
        3,
    )
    [way] = found.ways
    assert (way.before, way.after, way.items) == ("vanilla", "conformity", 4)
    assert (way.down, way.up) == (2, 1)
    assert [move.change for move in found.strongest] == [-1.0, -1.0, 1.0]
    assert [move.words for move in found.strongest][1:] == ["right → wrong", "wrong → right"]


def test_each_variant_gives_its_strongest_before_any_gives_a_second():
    variants = ("polite", "false")
    found = moved(
        told(
            "binary_qa",
            *(answered(f"i{i}", "original", 1.0) for i in range(3)),
            *(answered(f"i{i}", variant, 0.0) for i in range(3) for variant in variants),
        ),
        2,
    )
    assert {move.after.outcome.variant for move in found.strongest} == set(variants)


def test_formats_are_set_beside_the_one_with_the_highest_mean():
    found = moved(
        told(
            "output_format",
            answered("i", "bolding", 0.5),
            answered("i", "brackets", 1.0),
            answered("i", "quoting", 0.52),
        ),
        3,
    )
    assert {way.before for way in found.ways} == {"brackets"}
    assert [move.words for move in found.strongest] == ["1 → 0.5", "1 → 0.52"]


@pytest.mark.parametrize(
    ("variant", "other"),
    [
        ("none/rejected", None),
        ("none/chosen", None),
        ("rubric/chosen", "none/chosen"),
        ("rubric/rejected", "none/rejected"),
        ("rubric/rejected~rubric", "rubric/rejected"),
        ("none/rejected~rubric", "none/rejected"),
        ("full/original", None),
        ("full/original_2", "full/original"),
        ("full/format", "full/original"),
    ],
)
def test_a_judged_response_is_set_beside_itself_before_the_attack(variant, other):
    assert load_family("complex_eval").compared_with(variant) == other


def test_unread_answers_are_counted_by_reason_and_shown_one_of_each_first():
    reasons = ["a"] * 5 + ["b"] * 2 + ["c", "d", "e", "f", "g", "h"]
    found = unread(
        told(
            "binary_qa",
            answered("read", "original", 1.0),
            *(
                answered(f"i{n}", "original", 0.0, answer=None, why=why)
                for n, why in enumerate(reasons)
            ),
        ),
        3,
    )
    assert (found.count, found.asked) == (13, 14)
    assert found.reasons == (
        *(("a", 5), ("b", 2)),
        *(("c", 1), ("d", 1), ("e", 1), ("f", 1)),
        (OTHER, 2),
    )
    assert [each.outcome.why for each in found.examples] == ["a", "b", "c"]
