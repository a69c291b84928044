"""Answers as models of many families write them are read as a careful human reads them.

The readers were mended by the sets `<form>_mended.yaml`; the sets `<form>_fresh.yaml` were written
with them and kept aside, so that their shares say how unseen answers are read.
"""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.reading.reasoning import without_reasoning

FOLDER = Path(__file__).with_name("answers")
PARTS = ("realistic", "adversarial")
FRESH = {}
"""What was measured on the sets that were kept aside; `wrong` is another label, or one where a
human reads none."""
MISSED = {
    "1. If fact 3 had been missing": "a number before a supposition may begin a list of steps",
    "Options:\n1. Proven\n2. disproved\n3. Unknown\n\nChosen": "an ordinal without a noun (`the first of these`)",
    "Nothing here lets me say yes": "no keyword and no paraphrase of one",
    "Q: Is it 2?": "a dialogue: only a reader of questions could tell",
    "The unknown sailor in fact 2": "keywords of several labels",
    "The True Cross is mentioned": "keywords of several labels",
    "I can't say that none of the": "an ellipsis (`1 and 4 are`) within a denied denial",
    "One might wonder, for one thing": "an option called `the one`",
    "No doubt about it, none": "an option behind a colon that nothing introduces",
    "3 is better supported than 1": "a choice told by `it`",
    "None of options 1 to 4 fits.": "a denial, and then an option that was not offered",
}
"""How answers of the mended sets begin that are unread though a human reads them, and why."""


def _answers(name, part):
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))[part]


def _found(form, answer):
    """The label that is read, and the numbers of the options."""
    text = without_reasoning(answer["text"])
    if form == "judging":
        return read_judging(text).label, []
    reading = read_choice(text, n_options=answer["n"])
    # An answer that names an option not offered is wrong, whichever others it names.
    options = () if reading.label == "invalid" else reading.options
    return reading.label, [option + 1 for option in options]


def _verdict(form, answer):
    """`right`, `unread` where a human reads an answer, or `wrong`: another answer."""
    found = _found(form, answer)
    if found == (answer["label"], answer.get("options", [])):
        return "right"
    return "unread" if found[0] is None else "wrong"


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", ["judging", "choice"])
def test_the_answers_that_the_reader_was_mended_by(form, part):
    for answer in _answers(f"{form}_mended", part):
        missed = any(answer["text"].startswith(begins) for begins in MISSED)
        expected = "unread" if missed else "right"
        assert _verdict(form, answer) == expected, (answer["text"], answer["why"])


def test_every_known_miss_is_one_answer():
    texts = [
        answer["text"]
        for form in ("judging", "choice")
        for part in PARTS
        for answer in _answers(f"{form}_mended", part)
    ]
    for begins in MISSED:
        assert sum(text.startswith(begins) for text in texts) == 1, begins


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", ["judging", "choice"])
def test_answers_that_the_reader_was_not_made_for(form, part):
    found = Counter(_verdict(form, answer) for answer in _answers(f"{form}_fresh", part))
    right, wrong = FRESH[form, part]
    assert found["right"] >= right
    assert found["wrong"] <= wrong


@pytest.mark.parametrize("form", ["judging", "choice"])
@pytest.mark.parametrize("name", ["mended", "fresh"])
def test_there_are_enough_answers_of_each_label(form, name):
    realistic = Counter(answer["label"] for answer in _answers(f"{form}_{name}", "realistic"))
    assert realistic.total() >= 155
    assert min(count for label, count in realistic.items() if label != "invalid") >= 20
    assert len(_answers(f"{form}_{name}", "adversarial")) >= 45
