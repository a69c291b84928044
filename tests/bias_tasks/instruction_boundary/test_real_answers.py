"""12,032 real answers of Llama-3.1-8B-Instruct (MMLU-Pro, five shots), read and compared.

The result file carries `pred`, the letter the benchmark itself read: the first letter behind
"answer is", else behind "Answer:", else the last lone capital A to J of the text, else a guess,
which in this file is always G. Every answer that is read otherwise here was looked at:

- agree (10,976): the same letter.
- no letter (693): the text runs on in a loop or breaks off, and names no option by a letter at all
  ("The answer is 99.997.", "The answer is not among the choices."). pred is the guess G; unread.
- stray capital (331): no answer is stated; pred is the last capital in a formula, a name, or an
  option that is ruled out ("which rules out (F)", "$x^2 + C$"). Unread. Two of them do name their
  option, in passing: "which is closest to 2.8e3 J, or answer (F)", and "which is (B)".
- several letters (17): "The answer is (F) and (G)." pred keeps the first; read as both.
- several answers (9): different letters in different sentences ("The answer is (A). b) ... The
  answer is (F)."), of which pred keeps the first; none is marked as final, so unread.
- alternatives (1): "The answer is (B) or (I)." pred keeps the first; unread.
- narrowed down (2): "The answer is (B) or (F). The answer is (F)." pred keeps the first of the
  alternatives; read as the one that is settled on.
- first letter of a word (2): pred takes the capital of "the closest answer is A1's share ... The
  answer is (E)" and of "the correct answer is Elizabeth"; read as E, and unread.
- none of them (1): "The answer is (None of the above)." pred is the guess G; read as none.
"""

import json
import re
import zipfile
from collections import Counter

import pytest

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.published import contains_symbol

LETTERS = "ABCDEFGHIJ"
EXPECTED = {
    "agree": 10_976,
    "no letter": 693,
    "stray capital": 331,
    "several letters": 17,
    "several answers": 9,
    "alternatives": 1,
    "narrowed down": 2,
    "first letter of a word": 2,
    "none of them": 1,
}


@pytest.fixture
def answers(shared_data):
    name = "model_outputs_Meta-Llama-3_1-8B-Instruct_5shots"
    (path,) = shared_data.glob(f"TIGER-AI-Lab/MMLU-Pro/*/eval_results/{name}.zip")
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(f"{name}.json"))


def _kind(row, reading):
    """How a reading relates to the letter the benchmark read, told from the text itself."""
    text, pred = row["generated_text"], row["pred"]
    position = LETTERS.index(pred)
    if reading.label == "single" and reading.options == (position,):
        return "agree"
    if reading.label == "none" and "The answer is (None of the above)" in text:
        return "none of them"
    first = re.search(r"answer is \(?([A-J])\)?(\w)?", text)
    if first is None:
        assert reading.label is None
        if re.search(r"\b[A-J]\b", text) is None:
            assert pred == "G"
            return "no letter"
        return "stray capital"
    assert first[1] == pred
    if first[2] is not None:
        return "first letter of a word"
    if reading.label == "multiple" and position in reading.options:
        return "several letters"
    if reading.label == "single":
        assert re.search(rf"{pred}\) or \({LETTERS[reading.options[0]]}\)", text)
        return "narrowed down"
    assert reading.label is None
    return "alternatives" if "alternatives" in reading.detail else "several answers"


def test_every_answer_is_explained(answers):
    assert len(answers) == 12_032
    kinds = Counter()
    for row in answers:
        text = row["generated_text"]
        reading = read_choice(text, n_options=len(row["options"]), symbols="letters")
        kinds[_kind(row, reading)] += 1
        if reading.span is not None:
            assert reading.label == "none" or any(
                LETTERS[option] in text[slice(*reading.span)].upper() for option in reading.options
            )
    assert dict(kinds) == EXPECTED


def test_the_published_scoring_credits_letters_of_words(answers):
    """The gold letter occurs in nine of ten wrong answers too, as a letter of their words."""
    wrong = [row for row in answers if row["pred"] != row["answer"]]
    credited = sum(contains_symbol(row["generated_text"], row["answer"]) for row in wrong)
    assert (credited, len(wrong)) == (5_974, 6_715)
