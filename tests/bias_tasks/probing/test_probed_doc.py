"""Where a document's question stands in its text, and what becomes of its choices and target."""

from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.harness.probed_doc import RenderedDoc, find_question_span, insert_suffix, parse_doc
from bias_tasks.probing.items import Perturbation

BLOCK = "A. red\nB. green\nC. blue"
TEXT = f"Passage: It is long.\nQuestion: Which one is it?\n{BLOCK}\nAnswer:"


def doc_of(text=TEXT, choices=("A", "B", "C"), target=1, *, compares=True, movable=True, doc=None):
    rendered = RenderedDoc(text, tuple(choices), target)
    return parse_doc(
        "item",
        doc or {},
        rendered,
        compares_likelihoods=compares,
        target_can_move=movable,
    )


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


def test_the_question_is_a_text_of_the_document_or_the_last_line():
    found = [text[slice(*find_question_span(text, doc, len(text)))] for text, doc, _ in SPANS]
    assert found == [
        text.partition("\nAnswer:")[0] if question is None else question
        for text, _, question in SPANS
    ]


@given(st.text(max_size=300), st.dictionaries(st.text(max_size=3), st.text(max_size=30)))
def test_a_span_is_within_the_text(text, doc):
    begin, end = find_question_span(text, doc, len(text))
    assert 0 <= begin <= end <= len(text)


@given(st.permutations(range(3)), st.integers(0, 2))
def test_the_target_follows_its_choice(order, right):
    """Whatever the order, the label that is now right stands before the words that were."""
    probed = doc_of(target=right)
    made = probed.perturb(Perturbation(order=tuple(order)))
    lines = made.text.splitlines()[2:5]
    assert [line[0] for line in lines] == ["A", "B", "C"]
    assert lines[made.target][3:] == BLOCK.splitlines()[right][3:]
    assert probed.find_choice(made.target, Perturbation(order=tuple(order))) == right


def test_a_written_label_keeps_its_form_when_it_moves():
    for target, moved in (("B", "A"), ("(B)", "(A)"), (["B"], ["A"]), (["B", "C"], ["A", "B"])):
        probed = doc_of(choices=(), target=target, compares=False)
        made = probed.perturb(Perturbation(order=(1, 2, 0)))  # green, blue, red
        assert made.target == moved


def test_targets_in_words_do_not_move():
    written = doc_of(choices=(), target="green", compares=False)
    assert written.item.correct == (1,)
    assert written.perturb(Perturbation(order=(1, 2, 0))).target == "green"
    compared = doc_of(choices=("blue", "green", "red"), target=0)
    assert compared.item.correct == (2,)
    made = compared.perturb(Perturbation(order=(2, 0, 1)))
    assert (made.choices, made.target) == (("blue", "green", "red"), 0)
    assert [compared.find_choice(k, Perturbation(order=(2, 0, 1))) for k in range(3)] == [2, 1, 0]


def test_options_are_choices_if_the_chosen_one_can_be_identified():
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


def test_a_suffix_is_before_the_cue():
    assert insert_suffix("Q?\nAnswer:", "Be brief.") == "Q?\n\nBe brief.\nAnswer:"
    assert insert_suffix("Q?", "Be brief.") == "Q?\n\nBe brief."
    assert insert_suffix("Answer:", "Be brief.") == "Answer:\n\nBe brief."
    steps = "A: Let's think step by step.\n"
    assert insert_suffix(f"Q?\n{steps}", "Be brief.") == f"Q?\n\nBe brief.\n{steps}"
