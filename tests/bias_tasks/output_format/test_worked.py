"""Every worked case of the page is read as it says there."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.reading import read
from tests.bias_tasks.output_format.cases import (
    BINARY,
    EASY,
    LETTER,
    NUMBER,
    OPTION,
    STRINGS,
    TEXT,
)

WORKED = yaml.safe_load(Path(__file__).with_name("worked_formats.yaml").read_text("utf-8"))
ASKED = {
    "letter": LETTER,
    "option": OPTION,
    "text": TEXT,
    "number": NUMBER,
    "binary": BINARY,
    "list": STRINGS,
    "mapping": EASY,
}


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("case", WORKED["cases"])
def test_a_worked_case(case, protocol):
    prompting = case.get("prompting", "zs")
    item = ASKED[case["asked"]]
    reading = read(FORMATS[case["format"]], case["answer"], item, protocol, prompting)
    assert (reading.follows, _plain(reading.payload)) == _expected(case[protocol]), reading


def test_each_format_is_worked():
    worked = [case["format"] for case in WORKED["cases"]]
    assert set(worked) == set(FORMATS)
    follows = [case["corrected"] is not None for case in WORKED["cases"]]
    assert sum(follows) >= 25
    assert follows.count(False) >= 25


def _expected(value):
    if isinstance(value, dict) and list(value) == ["taken"]:
        return False, value["taken"]
    return value is not None, value


def _plain(payload):
    if isinstance(payload, tuple):
        return list(payload)
    return {k: list(v) for k, v in payload.items()} if isinstance(payload, dict) else payload
