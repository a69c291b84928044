"""Options in a finished prompt, other styles for them, and the labels that an answer names."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.probing.answers import find_named_labels, normalize_answer, restore_task_form
from bias_tasks.probing.displayed_options import LETTERS, OptionStyle, find_options
from bias_tasks.probing.family import FAMILY
from bias_tasks.probing.items import Perturbation, ProbedItem
from tests.bias_tasks.effort import cpu_limit

PROMPT = (
    "Answer with 'ANSWER: $LETTER' where LETTER is one of A,B,C.\n\nWhich?\n\nA) one\nB) two\nC) x"
)
SHOTS = "Q: 1?\nA. x\nB. y\nAnswer: A\n\nQ: 2?\nA. p\nB. q\nAnswer:"
OWN = ("A", "B", "C", "D")
ROMAN = OptionStyle(labels=("I", "II", "III", "IV"))
NUMBERS = OptionStyle(labels=("1", "2", "3", "4"))
FROM_P = OptionStyle(labels=("P", "Q", "R", "S"))
METALS = ProbedItem("m", "Which?", ("iron", "gold", "tin", "lead"), correct=(1,), target="B")


def test_a_free_answer_is_its_own_label():
    free = SimpleNamespace(choices=())
    assert FAMILY.displayed_label(free, "the answer: yes") == "the answer: yes"


def test_only_the_last_options_of_a_prompt_are_found():
    cases = {
        PROMPT: ("one", "two", "x"),
        SHOTS: ("p", "q"),
        "Which?\n(A) one\n(B) two\nThink.": ("one", "two"),
        "Which?\n1. one\n2. two": ("one", "two"),
        "  A: one\n  B: two\n": ("one", "two"),
        "A) one\nand more\nB) two\nmore of the prompt": ("one\nand more", "two"),
        "A) one\n\nB) two": ("one\n", "two"),
        "": None,
        "A) alone": None,
        "B) two\nC) three": None,
        "A) one\nC) three": None,
        "A) one\nB. two": None,
        "Dr A. Smith\nB. Jones": None,
        # Which of them is the second one?
        "A. one\nB. x\nB. two\nC. three": None,
        # Nor are an example's options those of the question behind it.
        "A. cat\nB. dog\nAnswer: A\n\nA. one\nB. x\nB. two\nC. three": None,
    }
    found = {prompt: find_options(prompt) for prompt in cases}
    assert {prompt: each and each.texts for prompt, each in found.items()} == cases
    assert all(p[e.start : e.end] == e.format(e.texts) for p, e in found.items() if e is not None)
    assert find_options(PROMPT, 4) is None
    assert find_options(f"{PROMPT}\n\n1. Read.\n2. Answer.", 3).texts == ("one", "two", "x")


@given(
    st.lists(st.from_regex(r"[a-z0-9][a-z0-9 .,]{0,20}", fullmatch=True), min_size=2, max_size=10),
    st.sampled_from(["A) ", "(A) ", "A. ", "A: ", "[A] "]),
)
def test_options_in_any_of_the_usual_marks_are_found_whole(texts, mark):
    block = "\n".join(mark.replace("A", LETTERS[i]) + text for i, text in enumerate(texts))
    found = find_options(f"Some question?\n\n{block}\n\nAnswer:", len(texts))
    assert found is not None
    assert found.texts == tuple(texts)
    assert found.format(texts) == block


def test_a_style_changes_the_options_and_the_list_of_their_labels():
    assert ROMAN.apply(PROMPT) == (
        "Answer with 'ANSWER: $LETTER' where LETTER is one of I, II, III.\n\nWhich?\n\n"
        "I) one\nII) two\nIII) x"
    )
    for named in ("A, B, or C", "A/B/C", "A, B and C", "A or B or C"):
        styled = NUMBERS.apply(f"A) one\nB) two\nC) x\nChoose {named}.")
        assert styled == "1) one\n2) two\n3) x\nChoose 1, 2, 3."
    for named, new in (("A-C", "1-3"), ("A to C", "1 to 3")):
        styled = NUMBERS.apply(f"A) one\nB) two\nC) x\nChoose {named}.")
        assert styled.endswith(f"Choose {new}.")
    styled = OptionStyle(mark="<{label}> ", separator=" | ").apply(PROMPT)
    assert styled == PROMPT.replace("A) one\nB) two\nC) x", "<A> one | <B> two | <C> x")
    assert OptionStyle(casing="upper").apply(PROMPT).endswith("A) ONE\nB) TWO\nC) X")
    for style, prompt in ((ROMAN, "Which?"), (OptionStyle(labels=("1", "2")), PROMPT)):
        with pytest.raises(ValueError, match="no options"):
            style.apply(prompt)


READ = [
    (ROMAN, "ANSWER: II", "ANSWER: B"),
    (ROMAN, "I think it is so.\n\nANSWER: iii", "I think it is so.\n\nANSWER: C"),
    (ROMAN, "The answer is (II).", "The answer is (B)."),
    (ROMAN, "**Answer:** II", "**Answer:** B"),
    (ROMAN, "ANSWER: **II**", "ANSWER: **B**"),
    (ROMAN, "The option is II because of that.", "The option is B because of that."),
    (ROMAN, "II", "B"),
    (ROMAN, "(II) two", "(B) two"),
    (ROMAN, "ANSWER: I\nNo wait.\nANSWER: II", "ANSWER: A\nNo wait.\nANSWER: B"),
    (ROMAN, "ANSWER: I, III", "ANSWER: A, C"),
    (ROMAN, "The answers are II and III.", "The answers are B and C."),
    (ROMAN, "II & III", "B & C"),
    (ROMAN, "ANSWER: II, since I read it", "ANSWER: B, since I read it"),
    # A list in the reasoning hides no answer behind it.
    (ROMAN, "Options I, II and III are wrong.\nANSWER: IV",
     "Options A, B and C are wrong.\nANSWER: D"),
    (ROMAN, "I and II are wrong, so\nANSWER: IV", "I and II are wrong, so\nANSWER: D"),
    # Nor does an option that is spoken of behind the answer.
    (ROMAN, "ANSWER: II\nOption I: too wet.", "ANSWER: B\nOption A: too wet."),
    (ROMAN, "ANSWER: II (Paris)", "ANSWER: B (Paris)"),
    (ROMAN, "The correct answer is **II) Paris**.", "The correct answer is **B) Paris**."),
    (ROMAN, "The answer is $\\boxed{\\text{II}}$", "The answer is $\\boxed{\\text{B}}$"),
    (ROMAN, "The correct choice would be II", "The correct choice would be B"),
    (ROMAN, "II is correct, for it is dry", "B is correct, for it is dry"),
    (ROMAN, "I would say II", "I would say B"),
    (ROMAN, "ANSWER: II III", "ANSWER: B C"),
    (NUMBERS, "ANSWER: 13", "ANSWER: AC"),
    (NUMBERS, "ANSWER: 1 3", "ANSWER: A C"),
    (NUMBERS, "ANSWER: 3) 2 apples", "ANSWER: C) 2 apples"),
    (NUMBERS, "1. Look.\n2. Think.\nANSWER: 3", "1. Look.\n2. Think.\nANSWER: C"),
    (FROM_P, "ANSWER: PR", "ANSWER: AC"),
]  # fmt: skip
UNNAMED = {
    ROMAN: ["My answer: I think so", "I think so", "ANSWER: B", "", "Answer: I'd rather not",
            "The answer is I think II and so on", "Nobody is wiser than I"],
    NUMBERS: ["answer is 2 apples", "ANSWER: 2.5", "answer: 1,000", "ANSWER: 15"],
    FROM_P: ["The answer is quite clear."],
    OptionStyle(mark="({label}) "): ["ANSWER: 2"],
}  # fmt: skip


def put_back(style, said):
    data = ProbedItem("p", "?").to_data("labels", Perturbation(option_style=style))
    return restore_task_form(data, said, OWN)


def test_labels_of_the_probe_become_the_task_s_labels():
    """What names no label stays: how it fares is decided by the task's own reader."""
    cases = [*READ, *((style, said, said) for style, all_ in UNNAMED.items() for said in all_)]
    found = [(style, said, put_back(style, said)) for style, said, _ in cases]
    assert found == cases
    assert find_named_labels("The answer is bad.", OWN) == []


def test_an_answer_is_normalized_to_its_choice_whatever_the_label():
    moved = Perturbation(order=(1, 0, 2, 3))
    cases = {
        ("B", moved): "#0",
        ("b.", moved): "#0",
        ("I think.\nANSWER: B", moved): "#0",
        ("ANSWER: B\nOption A is wrong", moved): "#0",
        ("B. gold", moved): "#0",
        ("ANSWER: AC", moved): "#1 #2",
        ("C, A", moved): "#1 #2",
        ("ANSWER: A gold", moved): "answer: a gold",
        # A choice's words mean that choice wherever it stands.
        ("Gold.", moved): "#1",
        ("some gold", moved): "some gold",
        ("E", moved): "e",
        ("", moved): "",
        (None, moved): "",
    }
    found = {
        (said, asked): normalize_answer(METALS.to_data("order", asked), said, OWN)
        for said, asked in cases
    }
    assert found == cases


@pytest.mark.parametrize(
    "piece",
    ["A) x\n", "A) x\nB) y\n", "[" * 50, "1. ", "answer", "answer: (((", "ANSWER: I ", "A and ",
     "\\boxed{", "AB", "\x00 ", "is "],
)  # fmt: skip
def test_long_texts_take_linear_time(piece):
    with cpu_limit(20):
        find_options(piece * 1_000_000)
        find_named_labels(piece * 1_000_000, OWN)
        put_back(ROMAN, f"{piece * 1_000_000}{'[' * 1_000_000}")
