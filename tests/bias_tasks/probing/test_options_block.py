"""Options are found in a finished prompt as a model is sent it, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.probing.options import LETTERS, find_options
from tests.bias_tasks.effort import cpu_limit, growth

HOST = "Answer. LETTER is one of A,B,C.\n\nWhich?\n\nA) one\nB) two\nC) three"
SHOTS = "Q: 1?\nA. x\nB. y\nAnswer: A\n\nQ: 2?\nA. p\nB. q\nAnswer:"


@pytest.mark.parametrize(
    ("prompt", "texts", "labels"),
    [
        (HOST, ("one", "two", "three"), "ABC"),
        (SHOTS, ("p", "q"), "AB"),
        ("Which?\n(A) one\n(B) two\nThink.", ("one", "two"), "AB"),
        ("Which?\n1. one\n2. two", ("one", "two"), "12"),
        ("  A: one\n  B: two\n", ("one", "two"), "AB"),
        ("A) one\nand more\nB) two\nmore of the prompt", ("one\nand more", "two"), "AB"),
        ("A) one\n\nB) two", ("one\n", "two"), "AB"),
    ],
)
def test_the_last_options_are_found(prompt, texts, labels):
    found = find_options(prompt)
    assert found is not None
    assert (found.texts, "".join(found.labels)) == (texts, labels)
    assert prompt[found.begin : found.end] == found.printed()


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "A) alone",
        "B) two\nC) three",
        "A) one\nC) three",
        "A) one\nB. two",
        "Dr A. Smith\nB. Jones",
        # Which of them is the second one?
        "A. one\nB. x\nB. two\nC. three",
        # Nor are an example's options those of the question behind it.
        "A. cat\nB. dog\nAnswer: A\n\nA. one\nB. x\nB. two\nC. three",
    ],
)
def test_what_is_no_list_of_options_is_none(prompt):
    assert find_options(prompt) is None


def test_a_count_that_the_prompt_does_not_print_finds_none():
    assert find_options(HOST, 4) is None
    assert find_options(f"{HOST}\n\n1. Read.\n2. Answer.", 3).texts == ("one", "two", "three")


@given(
    st.lists(st.from_regex(r"[a-z0-9][a-z0-9 .,]{0,20}", fullmatch=True), min_size=2, max_size=10),
    st.sampled_from(["A) ", "(A) ", "A. ", "A: ", "[A] "]),
)
def test_options_in_any_of_the_usual_marks_are_found_whole(texts, mark):
    block = "\n".join(mark.replace("A", LETTERS[i]) + text for i, text in enumerate(texts))
    found = find_options(f"Some question?\n\n{block}\n\nAnswer:", len(texts))
    assert found is not None
    assert found.texts == tuple(texts)
    assert found.printed() == block


@pytest.mark.parametrize("piece", ["A) x\n", "A) x\nB) y\n", "[" * 50, "\n", "A) " * 9, "1. "])
def test_long_prompts_take_time_in_proportion(piece):
    assert growth(lambda size: lambda: find_options(piece * size), 500) < 6
    with cpu_limit(20):
        find_options(piece * 1_000_000)
