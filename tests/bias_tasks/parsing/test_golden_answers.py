"""Answers that the paper prints, against the values that it prints for them."""

import json

from bias_tasks.parsing import parse_answer


def test_appendix_m(golden):
    cases = json.loads((golden / "instruction_boundary_appendix_m.json").read_text())["cases"]
    assert len(cases) == 26
    for case in cases:
        reading = parse_answer(case["response"], form="choice", options=4, first_number=0)
        assert reading.options in (tuple(case["parsed"]), ()), (case, reading)
        assert reading.options or reading.unparsed or not case["parsed"], (case, reading)
        right = reading.label is not None and reading.options == (1, 3)
        # The paper's note: an option that does not exist must not be dropped to make it right.
        assert right == (case["correct"] is True), (case, reading)


def test_appendix_h_is_a_graders_and_never_misread(golden):
    labels = {"__PROVED__": "True", "__DISPROVED__": "False", "__UNKNOWN__": "Unknown"}
    cases = json.loads((golden / "instruction_boundary_appendix_h.json").read_text())["cases"]
    for case in cases:
        expected = labels[case["expected"]]
        assert parse_answer(case["response"], form="judging").label in (expected, None), case
