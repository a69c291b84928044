"""The paper's own test cases: appendix H (for the judge) and appendix M (for the choice form)."""

import json

import pytest

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict

LABELS = {"__PROVED__": "True", "__DISPROVED__": "False", "__UNKNOWN__": "Unknown"}
GOLD = (1, 3)

# Paraphrases of appendix H: most hold no keyword and are a judge's work.
PARAPHRASES = [
    ("I'm convinced the facts clearly establish the statement.", "True", "True"),
    ("I feel torn about what these facts imply.", "Unknown", None),
    ("The regression results are in line with the hypothesis.", "True", None),
    ("Our sample is too small for firm conclusions.", "Unknown", None),
    ("The facts line up with the statement, which bodes well for it.", "True", None),
    ("The record shows tensions that cast doubt on the statement.", "False", None),
    ("Too many factors are at play for a simple verdict.", "Unknown", None),
    ("It stands like a bridge on solid pillars, confirming the statement.", "True", "True"),
    ("The argument is a castle built on sand.", "False", None),
    ("It is like reading a map in the dark.", "Unknown", None),
    ("Given what we have, the statement seems valid.", "True", "True"),
    ("If we trust fact 1, the statement is supported. But other readings remain.", "Unknown", None),
    ("Although it looks well supported at first, the premises could fail.", "Unknown", None),
    ("The study demonstrates a robust effect, confirming the hypothesis.", "True", "True"),
    ("The methods are deeply flawed, which undermines the claim.", "False", None),
    ("Limits of the design rule out definite conclusions.", "Unknown", None),
    ("Taken together the facts lead to accepting the statement.", "True", None),
    ("The facts lead one to question the statement.", "False", None),
    ("More analysis is needed before anything can be said to be proven.", "Unknown", None),
    ("The evidence is incomplete, so I would not commit either way.", "Unknown", "Unknown"),
    ("Fact after fact refutes the statement.", "False", "False"),
]


def test_appendix_h_is_never_misread(golden):
    cases = json.loads((golden / "instruction_boundary_appendix_h.json").read_text())["cases"]
    assert len(cases) == 19
    read = 0
    for case in cases:
        reading = read_judging(case["response"])
        expected = LABELS[case["expected"]]
        assert reading.label in (expected, None), (case["response"], reading)
        read += reading.label == expected
    # "confirms" twice and "demonstrate"; the others hold none of the keywords.
    assert read == 3


def test_appendix_h_passes_with_the_judge(golden):
    cases = json.loads((golden / "instruction_boundary_appendix_h.json").read_text())["cases"]
    for case in cases:
        verdict = judging_verdict(case["expected"])
        assert verdict is not None
        assert (verdict.label, verdict.via) == (LABELS[case["expected"]], "judge")


@pytest.mark.parametrize(("text", "meant", "read"), PARAPHRASES)
def test_paraphrases_of_appendix_h(text, meant, read):
    assert read in (meant, None)
    assert read_judging(text).label == read


def test_appendix_m(golden):
    cases = json.loads((golden / "instruction_boundary_appendix_m.json").read_text())["cases"]
    assert len(cases) == 26
    for case in cases:
        reading = read_choice(case["response"], n_options=4, first=0)
        assert reading.options == tuple(case["parsed"]), (case, reading)
        right = reading.label in ("single", "multiple") and reading.options == GOLD
        # The paper's note: an option that does not exist must not be dropped to make it right.
        assert right == (case["correct"] is True), (case, reading)
        if reading.label in ("invalid", None):
            assert reading.reason in ("invalid_response_format", "no_response")


def test_appendix_m_counted_from_one(golden):
    cases = json.loads((golden / "instruction_boundary_appendix_m.json").read_text())["cases"]
    for case in cases:
        if case["response"] in ("0, 1", "0", "0, 1, 3"):
            assert read_choice(case["response"], n_options=4).label == "invalid"


def test_appendix_m_passes_with_the_judge():
    assert choice_verdict("1,3", 4, first=0).options == GOLD
    assert choice_verdict("NO_ANSWER", 4, first=0).label == "none"
