"""What a rewording or a translation may not do to its original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewording_checks import (
    CHECKS,
    LONGEST,
    PASSED,
    check_back_translation,
    check_rewording,
    check_translation,
    first_refusal,
)
from bias_tasks.probing.rewording_parts import figures, literals, names
from bias_tasks.simulated.sums import FRAME
from tests.bias_tasks.effort import cpu_limit

RIVERS = ProbedItem(
    "r",
    'Which of the 3 rivers that "cross the plain" near Old Harbor is longer than 1,200 km?',
    ("the Arvo", "the Belt", "the Cray"),
    (1,),
    "B",
)
CODE = ProbedItem(
    "c",
    "What does `len(x)` give where $x = a_1$ and \\frac{1}{2} stand at https://a.example/b?c=1 ?",
    target="four",
)
DENIED = ProbedItem("d", "Which of these is not a bird that lives in Peru?", target="bat")
TOLD = ProbedItem("t", "The town of Lindau lies by the lake. Name the lake.", target="Constance")
LINES = ProbedItem("l", "Pick one.\nA) red\nB) blue", target="A")


def of(item, text):
    found = first_refusal(check_rewording(item, text))
    return found and found[0]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (RIVERS, 'Of 3 rivers near Old Harbor that "cross the plain", which exceeds 1200 km?'),
        (CODE, "Where $x = a_1$ and \\frac{1}{2} stand at https://a.example/b?c=1, "
         "what is the outcome of `len(x)`?"),
        (DENIED, "Which one is no bird of those that live in Peru?"),
        (DENIED, "Name all but... which of these isn't a bird living in Peru?"),
        (TOLD, "Lindau is a town on a lake: say which."),
        (LINES, "Choose one.\nA) red\nB) blue"),
        (ProbedItem("n", "Are there twenty-five of them?"), "Do they number 25?"),
        (ProbedItem("w", "Was Marie Curie's work on $5 a day?"), "On $5 a day, did Curie, Marie "
         "by name, work?"),
    ],
)  # fmt: skip
def test_what_asks_the_same_in_other_words_passes(item, text):
    assert of(item, text) is None


@pytest.mark.parametrize(
    ("check", "item", "text"),
    [
        ("form", RIVERS, ""),
        ("form", RIVERS, " \n\t "),
        ("form", RIVERS, RIVERS.text.replace("longer", "\ud800")),
        ("form", RIVERS, RIVERS.text.replace("longer", "\x00")),
        ("form", RIVERS, f"So:\n{RIVERS.text}"),
        ("length", RIVERS, "x" * 10_000_000),
        ("length", RIVERS, "Which?"),
        ("preamble", RIVERS, f"Sure, here is the reworded text: {RIVERS.text}"),
        ("preamble", RIVERS, f"Here's a rewording. {RIVERS.text}"),
        ("preamble", RIVERS, "I'm sorry, but I can't reword which of the 3 rivers it is?"),
        ("preamble", LINES, "As you like:\nPick one of them.\nA) red\nB) blue"),
        ("preamble", TOLD, f"{TOLD.text} (Note: I kept Lindau.)"),
        ("question", RIVERS, RIVERS.text.replace("?", ".")),
        ("question", RIVERS, f"{RIVERS.text} The second one, I think, is."),
        ("question", RIVERS, f"What do you say? {RIVERS.text}"),
        ("numbers", RIVERS, RIVERS.text.replace("3 ", "")),
        ("numbers", RIVERS, RIVERS.text.replace("1,200", "120")),
        ("numbers", RIVERS, RIVERS.text.replace("near", "4 km near")),
        ("numbers", ProbedItem("m", "What is 7 - 7 + 2?"), "What does 7 make, and 2?"),
        ("literals", CODE, CODE.text.replace("`len(x)`", "the length of x")),
        ("literals", CODE, CODE.text.replace("$x = a_1$", "x = a_1")),
        ("literals", CODE, CODE.text.replace("?c=1", "?c=1&d=2")),
        ("quotations", RIVERS, RIVERS.text.replace("cross the plain", "pass the plain")),
        ("names", RIVERS, RIVERS.text.replace("Old Harbor", "the harbor")),
        ("names", DENIED, "Which of these is not a bird that lives there?"),
        ("negation", DENIED, "Which of these is a bird that lives in Peru?"),
        ("negation", RIVERS, RIVERS.text.replace("is longer", "is not longer")),
        ("choices", RIVERS, RIVERS.text.replace("km", "km, the Arvo or another")),
        ("choices", LINES, "Pick one of these."),
        ("choices", LINES, f"{LINES.text}\nC) green"),
        ("answer", TOLD, "Lindau lies by the lake of Constance. Name the lake."),
        ("answer", TOLD, f"{TOLD.text} The answer is known."),
        ("different", RIVERS, RIVERS.text),
        ("different", RIVERS, RIVERS.text.replace("?", " ?").replace("W", "w")),
    ],
)  # fmt: skip
def test_what_changes_the_question_is_refused(check, item, text):
    found = check_rewording(item, text)
    assert first_refusal(found)[0] == check
    assert set(found) <= set(CHECKS)


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (None, 'Welcher der 3 Flüsse, die bei Old Harbor "die Ebene queren", misst über 1.200 km?'),
        (None, "Old Harborの近くで「平原を横切る」3本の川のうち、1200kmより長いのはどれですか"),
        (None, "أي من الأنهار ٣ قرب المرفأ القديم أطول من ١٢٠٠ كم؟"),
        ("numbers", "Welcher der Flüsse bei Old Harbor ist länger als 1.200 km?"),
        ("numbers", "Welcher der 3 Flüsse bei Old Harbor ist länger als 1,2 km?"),
        ("translated", RIVERS.text),
        ("translated", 'Which of 3 rivers near Old Harbor that "x" is longer than the 1200 km?'),
        ("preamble", 'Sure: Welcher der 3 Flüsse bei Old Harbor misst über 1.200 km?'),
        ("length", "Welcher?"),
        ("form", "1.200\n3 Welcher der Flüsse bei Old Harbor?"),
    ],
)  # fmt: skip
def test_a_translation_is_checked_for_what_every_language_has(check, text):
    found = first_refusal(check_translation(RIVERS, text))
    assert (found and found[0]) == check


def test_a_translation_back_may_be_the_original_and_must_hold_what_it_holds():
    found = check_back_translation(RIVERS, RIVERS.text)
    assert set(found.values()) == {PASSED}
    lost = check_back_translation(DENIED, "Which of these is a bird that lives in Peru?")
    assert first_refusal(lost) == ("back negation", "it drops a negation")


def test_dollars_are_no_formula_and_a_sentence_begins_with_no_name():
    assert not literals("It costs $5 and then $6.")
    assert not names("Which one? Is it so? Compute it. The end.")
    assert set(names("Marie Curie and the COVID-19 team of NASA")) == {
        *("marie", "curie", "covid-19", "nasa")
    }


def test_notations_of_one_number_are_the_same():
    assert figures("1,200.5 and -3") == figures("1200.5 and −3")
    loose = [figures(text, any_language=True) for text in ("1.200,5", "1 200,5", "1,200.5")]
    assert loose == [{"1200.5": 1}] * 3


WORDS = st.lists(st.sampled_from(("moon", "water", "silver", "garden")), min_size=3)
NUMBERS = st.lists(st.integers(0, 10**6), min_size=1, max_size=4)


@given(words=WORDS, numbers=NUMBERS, dropped=st.integers(0, 3))
def test_each_number_is_missed_wherever_it_stood(words, numbers, dropped):
    given_ = f"Where is the {' '.join(words)} of {' and '.join(map(str, numbers))}?"
    item = ProbedItem("i", given_, target="none such")
    assert of(item, f"{FRAME} {given_}") is None
    lost = numbers[: dropped % len(numbers)] + numbers[dropped % len(numbers) + 1 :]
    text = f"{FRAME} where is the {' '.join(words)} of {' and '.join(map(str, lost))}?"
    assert of(item, text) in ("numbers", "length")


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_are_compared_without_an_error(original, text):
    item = ProbedItem("i", original, ("one", "two"), (0,), "A")
    for check in (check_rewording, check_translation, check_back_translation):
        assert set(check(item, text)) <= set(CHECKS)


@pytest.mark.parametrize(
    "part",
    ["$", "$a", "`", "```", '"', "“", "'a", "\\(", "\\[a", "\\a", "A ", "a@", "1,", "1 000 ",
     "not ", "https://", "«", "A) a\n", "answer ", "x", "\u0301", "?"],
)  # fmt: skip
def test_hostile_texts_take_no_longer_than_others(part):
    text = (part * LONGEST)[:LONGEST]
    item = ProbedItem("i", text, (part.strip() * 50 or "x", text), (1,), text)
    with cpu_limit(20, part):
        for check in (check_rewording, check_translation, check_back_translation):
            check(item, f"{text} {text[: LONGEST // 4]}")
            check(item, part * 2_000_000)


def test_a_text_that_choices_go_on_with_is_not_reworded():
    stem = ProbedItem("s", "Roof work: somebody walks over the roof. He", right=(1,), target="x")
    assert check_rewording(stem, "Work on a roof: somebody walks over it. He") == {
        "text": "its text goes on in its choices"
    }
    printed = ProbedItem("s", stem.text, ("falls off", "stays there"), (1,), "B")
    assert of(printed, "Roof work: over the roof walks somebody. He") is None
