"""Where a document's question stands in its text, and what becomes of its choices and target."""

from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.harness.probed_doc import Rendered, question_span, read_doc, with_ending
from bias_tasks.probing.items import Asked

BLOCK = "A. red\nB. green\nC. blue"
TEXT = f"Passage: It is long.\nQuestion: Which one is it?\n{BLOCK}\nAnswer:"


def doc_of(text=TEXT, choices=("A", "B", "C"), target=1, *, compares=True, movable=True, doc=None):
    own = Rendered(text, tuple(choices), target)
    return read_doc("item", doc or {}, own, compares=compares, movable=movable)


SPANS = [
    ("Question: Is it?\nAnswer:", {}, "Is it?"),
    ("Q: Is it?\nA:", {}, "Is it?"),
    ("It is long.\nIs it?", {}, "Is it?"),
    ("It is long. Is it?\nAnswer:", {"question": "is it", "passage": "It is long."}, None),
    ("It is long. is it?\nAnswer:", {"question": "is it"}, "is it?"),
    ("First\nand second line?\nAnswer:", {"q": "First\nand second line?"}, None),
    ("Is it?\nOptions:\n", {}, "Is it?"),
    ("Q: Is it?\nA: Let's think step by step.\n", {}, "Is it?"),
    ("Answer:", {}, "Answer:"),
    ("", {}, ""),
    ("Is it?\n\n", {}, "Is it?"),
    ("It rains because", {"premise": "It rains."}, "It rains because"),
]
"""A text, its document, and the question; None for all before the cue."""


def test_the_question_is_the_document_s_text_or_the_last_line():
    found = [text[slice(*question_span(text, doc, len(text)))] for text, doc, _ in SPANS]
    assert found == [
        text.partition("\nAnswer:")[0] if question is None else question
        for text, _, question in SPANS
    ]


@given(st.text(max_size=300), st.dictionaries(st.text(max_size=3), st.text(max_size=30)))
def test_a_span_lies_within_any_text(text, doc):
    begin, end = question_span(text, doc, len(text))
    assert 0 <= begin <= end <= len(text)


@given(st.permutations(range(3)), st.integers(0, 2))
def test_the_target_follows_its_choice(order, right):
    """Whatever the order, the label that is now right stands before the words that were."""
    probed = doc_of(target=right)
    made = probed.asked(Asked(order=tuple(order)))
    lines = made.text.splitlines()[2:5]
    assert [line[0] for line in lines] == ["A", "B", "C"]
    assert lines[made.target][3:] == BLOCK.splitlines()[right][3:]
    assert probed.place(made.target, Asked(order=tuple(order))) == right


def test_a_written_label_is_moved_as_it_is_written():
    for target, moved in (("B", "A"), ("(B)", "(A)"), (["B"], ["A"]), (["B", "C"], ["A", "B"])):
        probed = doc_of(choices=(), target=target, compares=False)
        made = probed.asked(Asked(order=(1, 2, 0)))  # green, blue, red
        assert made.target == moved


def test_what_is_written_in_words_stays_and_what_is_compared_by_words_keeps_its_place():
    written = doc_of(choices=(), target="green", compares=False)
    assert written.item.right == (1,)
    assert written.asked(Asked(order=(1, 2, 0))).target == "green"
    compared = doc_of(choices=("blue", "green", "red"), target=0)
    assert compared.item.right == (2,)
    made = compared.asked(Asked(order=(2, 0, 1)))
    assert (made.choices, made.target) == (("blue", "green", "red"), 0)
    assert [compared.place(k, Asked(order=(2, 0, 1))) for k in range(3)] == [2, 1, 0]


def test_options_count_where_somebody_can_tell_which_is_chosen():
    cases = [
        ({"target": 7}, True),  # nobody knows which is right, though its labels can be changed
        ({"choices": ("Yes", "No", "Maybe")}, False),
        ({"choices": ("A", "B"), "target": 0}, False),
        ({"choices": (), "target": "17", "compares": False}, False),
        ({"choices": (), "target": "B", "compares": False, "movable": False}, False),
        ({"text": "Which?\n(A) red (B) green (C) blue\nAnswer:"}, False),
        ({"text": 1, "choices": ("It was red", "It was blue")}, False),
    ]
    assert [(changed, bool(doc_of(**changed).item.choices)) for changed, _ in cases] == cases


def test_an_ending_stands_before_the_cue():
    assert with_ending("Q?\nAnswer:", "Be brief.") == "Q?\n\nBe brief.\nAnswer:"
    assert with_ending("Q?", "Be brief.") == "Q?\n\nBe brief."
    assert with_ending("Answer:", "Be brief.") == "Answer:\n\nBe brief."
    assert with_ending("Q?", "") == "Q?"
    steps = "A: Let's think step by step.\n"
    assert with_ending(f"Q?\n{steps}", "Be brief.") == f"Q?\n\nBe brief.\n{steps}"
