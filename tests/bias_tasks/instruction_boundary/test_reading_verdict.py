"""A judge's reply is a verdict or nothing."""

import pytest

from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("__PROVED__", "True"),
        ("__DISPROVED__", "False"),
        ("__UNKNOWN__", "Unknown"),
        (" __PROVED__\n", "True"),
        ("`__DISPROVED__`", "False"),
        ('"__UNKNOWN__".', "Unknown"),
        ("**__PROVED__**", "True"),
        ("PROVED", "True"),
        ('{"verdict": "__DISPROVED__"}', "False"),
        ('{"reason": "fact 2", "verdict": "UNKNOWN"}', "Unknown"),
    ],
)
def test_judging_verdict(reply, label):
    verdict = judging_verdict(reply)
    assert (verdict.label, verdict.via) == (label, "judge")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "proved",
        "__PROVED__ or __DISPROVED__",
        "It is __PROVED__.",
        "__DISPROVED__ because fact 2 says so",
        "1",
        "null",
        "{",
        '{"verdict": null}',
        '{"verdict": true}',
        '{"verdict": ["__PROVED__"]}',
        '{"label": "__PROVED__"}',
        '["__PROVED__"]',
        "__PROVED__" * 1000,
        '{"verdict": ' * 400,
        "\ud800",
    ],
)
def test_no_judging_verdict(reply):
    assert judging_verdict(reply) is None


@pytest.mark.parametrize(
    ("reply", "first", "label", "options"),
    [
        ("0", 0, "single", (0,)),
        ("0,1", 0, "multiple", (0, 1)),
        ("1, 3", 1, "multiple", (0, 2)),
        ("3,1,1", 1, "multiple", (0, 2)),
        ("NO_ANSWER", 1, "none", ()),
        ('"NO_ANSWER"', 1, "none", ()),
        ('{"verdict": "1,3"}', 1, "multiple", (0, 2)),
        ('{"verdict": 2}', 1, "single", (1,)),
        ('{"verdict": "NO_ANSWER"}', 1, "none", ()),
        ("5", 1, "invalid", ()),
        ("0,1", 1, "invalid", (0,)),
    ],
)
def test_choice_verdict(reply, first, label, options):
    verdict = choice_verdict(reply, 4, first)
    assert (verdict.label, verdict.options, verdict.via) == (label, options, "judge")
    assert verdict.reason == ("invalid_response_format" if label == "invalid" else None)


@pytest.mark.parametrize(
    "reply",
    ["", "option 2", "1 and 3", "1,", ",", "no answer", "-1", "２", "1.5", "UNCLEAR", "9" * 4],
)
def test_no_choice_verdict(reply):
    assert choice_verdict(reply, 4) is None
