"""What a judge answers is read strictly: a valid score, or unread with a reason."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.outcomes import deduction_score, read_judgement
from bias_tasks.complex_eval.reading.score_values import MOST_FLAWS, ReportedFlaw
from bias_tasks.complex_eval.reading.scores import (
    read_criterion_scores,
    read_first_error,
    read_flaws,
    read_score,
)

SCALE = (1, 10)
READ = [
    ('{"score": 7}', 7),
    ('{"score": 7.25}', 7.25),
    ('{"score": 1}', 1),
    ('{"score": 10.0}', 10),
    ('```json\n{"score": 7}\n```', 7),
    ('{"reasoning": "it is {good}", "score": 7}', 7),
    ('First {"score": 3}, no: {"score": 7}', 7),
    ('\\frac{1}{2} and {x: 1}\n{"score": 7}', 7),
    ('{"score": 7}\nI am sure.', 7),
    ('{"score": 7}\nScore: 7', 7),
    ('{"score": 3}\n{"note": "ok"}', 3),
    ('{"why": "it says </think>", "score": 7}', 7),
    ("7", 7),
    ("**7**", 7),
    ("7.5", 7.5),
    ("７", 7),
    ("7/10", 7),
    ("8 / 10", 8),
    ("8 out of 10.", 8),
    ("Score: 7", 7),
    ("**Score:** 7/10", 7),
    ("Score (1-10): 7", 7),
    ("The score is 7.", 7),
    ("I give it a rating of 7.", 7),
    ("My score:\n7", 7),
    ("Clarity score: 3/10\nDepth score: 4/10\nFinal score: 7/10", 7),
    ("A fair 4/10 for style. Score: 7", 7),
    ("Score: 7\nSo it is 7/10.", 7),
]
UNREAD = [
    ("", "no_response"),
    (" \n", "no_response"),
    ("I can't help with that.", "refusal"),
    ('{"score": 0}', "not within"),
    ('{"score": 11}', "not within"),
    ('{"score": -7}', "not within"),
    ('{"score": 1e999}', "no number"),
    ('{"score": NaN}', "no number"),
    ('{"score": Infinity}', "no number"),
    ('{"score": -Infinity}', "no number"),
    ('{"score": "7-8"}', "no number"),
    ('{"score": "seven"}', "no number"),
    ('{"score": ""}', "no number"),
    ('{"score": true}', "no number"),
    ('{"score": null}', "no number"),
    ('{"score": [7]}', "no number"),
    ('{"score": {"overall": 7}}', "no number"),
    ('{"score": 7, "score": 8}', "twice"),
    ('{"draft": {"score": 7}}', "no score"),
    ('{"score": 3}\n{"score": 12}', "not within"),
    ('{"score": 3}\nNo, score: 8', "another score"),
    ('{"score": ' + "9" * 5000 + "}", "no number"),
    ('{"score": 7', "no score"),
    ("11", "not within"),
    ("0/10", "not within"),
    ("-3", "not within"),
    ("Score: 7-8", "not within|no number"),
    ("Score: 7 or 8", "no number"),
    ("Score: 7 to 8", "no number"),
    ("Score: 75%", "no number"),
    ("Score: 7/100", "no number"),
    ("Score: 7,5", "no number"),
    ("7/100", "no score"),
    ("Score: 7. Score: 8", "different scores"),
    ("6/10 for style, 8/10 for content", "different scores"),
    ("Final score: 6. Final score: 7", "different scores"),
    ("Score: seven", "no score"),
    ("It has 7 sentences.", "no score"),
    ("good", "no score"),
]


@pytest.mark.parametrize(("text", "score"), READ)
def test_scores(text, score):
    reading = read_score(text, SCALE)
    assert reading.value == score, reading.detail
    assert reading.reason is None
    start, end = reading.span
    assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(("text", "why"), UNREAD)
def test_what_is_no_valid_score_is_unread(text, why):
    reading = read_score(text, SCALE)
    assert reading.value is None
    assert reading.reason in ("no_response", "refusal", "invalid_response_format")
    named = f"{reading.reason} {reading.detail}"
    assert any(part in named for part in why.split("|")), named


@given(st.floats() | st.integers())
def test_a_number_is_read_as_it_is_or_not_at_all(number):
    reading = read_score(json.dumps({"score": number}), SCALE)
    valid = math.isfinite(number) and 1 <= number <= 10
    assert reading.value == (number if valid else None)


@given(st.text(max_size=80), st.integers(1, 10))
def test_the_last_object_decides(before, score):
    reading = read_score(f'{before}\n{{"score": {score}}}', SCALE)
    assert reading.value in (score, None)
    if "{" not in before:
        assert reading.value == score


CRITERIA = ("Plot", "Word Count", "voice_of_it")


@pytest.mark.parametrize(
    "scores",
    [
        {"Plot": 3, "Word Count": 4, "voice_of_it": 10},
        {"voice_of_it": 10, "word  count": 4, " PLOT": 3},
    ],
)
def test_scores_by_criterion(scores):
    reading = read_criterion_scores(json.dumps({"scores": scores}), CRITERIA, SCALE)
    assert reading.value == {"Plot": 3, "Word Count": 4, "voice_of_it": 10}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"scores": {"Plot": 3, "Word Count": 4}}, "criteria"),
        ({"scores": {"Plot": 3, "Word Count": 4, "voice_of_it": 5, "more": 5}}, "criteria"),
        ({"scores": {"Plot": 3, "plot": 3, "Word Count": 4, "voice_of_it": 5}}, "criteria"),
        ({"scores": {"Plot": 0, "Word Count": 4, "voice_of_it": 5}}, "Plot: .* not within"),
        ({"scores": {"Plot": "3-4", "Word Count": 4, "voice_of_it": 5}}, "Plot: .* no number"),
        ({"scores": {"Plot": None, "Word Count": 4, "voice_of_it": 5}}, "Plot: .* no number"),
        ({"scores": [3, 4, 5]}, "no object"),
        ({"score": 3}, "no JSON object"),
        ({"Plot": 3, "Word Count": 4}, "criteria"),
    ],
)
def test_missing_and_wrong_criteria_are_unread(answer, why):
    reading = read_criterion_scores(json.dumps(answer), CRITERIA, SCALE)
    assert reading.value is None
    assert reading.reason == "invalid_response_format"
    assert re.search(why, reading.detail)


FLAW = {"dimension": "plot", "severity": 3, "quote": "Once."}


def test_flaws():
    reading = read_flaws(json.dumps({"flaws": [FLAW, FLAW]}), CRITERIA, SCALE)
    assert reading.value == (ReportedFlaw("Plot", 3, "Once."),) * 2
    assert read_flaws('{"flaws": []}', CRITERIA, SCALE).value == ()


@pytest.mark.parametrize(
    "flaws",
    [
        None,
        {"plot": [FLAW]},
        [FLAW | {"dimension": "Style"}],
        [FLAW | {"dimension": 3}],
        [FLAW | {"severity": 0}],
        [FLAW | {"severity": 11}],
        [FLAW | {"severity": "3-4"}],
        [FLAW | {"severity": "high"}],
        [FLAW | {"severity": 2.5}],
        [FLAW | {"quote": None}],
        [{"dimension": "plot", "severity": 3}],
        ["plot"],
        [FLAW] * (MOST_FLAWS + 1),
    ],
)
def test_wrong_flaws_are_unread(flaws):
    reading = read_flaws(json.dumps({"flaws": flaws}), CRITERIA, SCALE)
    assert reading.value is None
    assert reading.reason == "invalid_response_format"


def test_a_flaw_that_says_a_key_twice_is_unread():
    text = '{"flaws": [{"dimension": "Plot", "severity": 3, "severity": 4, "quote": "x"}]}'
    assert read_flaws(text, CRITERIA, SCALE).value is None


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('{"first_error": 2}', 2),
        ('{"first_error": -1}', -1),
        ('{"first_error": 2.0}', 2),
        ("2", 2),
        ("-1", -1),
        ("Step 2.", 2),
        ("**2**", 2),
        ("first_error: 2", 2),
        ("The first error is in step 2.", 2),
        ('{"first_error": 4}', None),
        ('{"first_error": -2}', None),
        ('{"first_error": 1.5}', None),
        ('{"first_error": "2"}', 2),
        ('{"first_error": "2 or 3"}', None),
        ('{"first_error": null}', None),
        ('{"first_error": false}', None),
        ("4", None),
        ("2 or 3", None),
        ("Step 2 is fine, step 3 is wrong.", 3),
        ("Step 2 is wrong, step 3 is wrong.", None),
        ("none", None),
        ("", None),
    ],
)
def test_positions(text, position):
    assert read_first_error(text, 4).value == position


def test_the_published_evaluations_have_the_deduction_scores(shared_data):
    """All twelve published dimension scores come out of the flaws and the characters' turns."""
    [path] = shared_data.glob("Neph0s/CoSER/*/exp/evaluation/test_set_gpt-4o.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    checked = 0
    for case in cases.values():
        turns = sum(turn["role"] != "Environment" for turn in case["simulation"])
        for critique in case["critique"].values():
            if isinstance(critique, dict):
                severity = sum(flaw["severity"] for flaw in critique["flaws"])
                assert deduction_score(severity, turns) == pytest.approx(critique["score"])
                checked += 1
    assert checked == 12


def test_deductions_stay_within_the_scale():
    assert deduction_score(0, 0) == deduction_score(0, 40) == 100
    assert deduction_score(20, 0) == deduction_score(1000, 5) == 0
    assert deduction_score(10, 10) == 65


def test_scores_of_each_family():
    form = {"family": "creative_writing", "criteria": ["a", "b"]}
    assert read_judgement(form, '{"scores": {"a": 4, "b": 7}}').value == 5.5
    form = {"family": "role_playing", "criteria": ["a", "b"], "turns": 0}
    flaws = [{"dimension": "a", "severity": s, "quote": "x"} for s in (2, 4)]
    assert read_judgement(form, json.dumps({"flaws": flaws})).value == (70 + 100) / 2
    assert read_judgement({"family": "math", "steps": 3}, '{"first_error": 0}').value == 0
    assert read_judgement({"family": "basic"}, "Score: 8").value == 8


def test_a_cut_answer_counts_only_where_it_stands_first():
    form = {"family": "basic"}
    assert read_judgement(form, '```json\n{"score": 7}\n``` because', cut=True).value == 7
    drafted = 'Maybe {"score": 7}. But'
    assert read_judgement(form, drafted).value == 7
    reading = read_judgement(form, drafted, cut=True)
    assert reading.value is None
    assert "cut" in reading.detail
