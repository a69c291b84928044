"""What the grammar makes of questions, and what it leaves alone."""

import importlib.util
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.items import REFORMULATIONS
from bias_tasks.binary_qa.reformulation.checks import check
from bias_tasks.binary_qa.reformulation.grammar import reformulate, reformulate_all
from bias_tasks.binary_qa.reformulation.lexicon import past, third_person
from bias_tasks.binary_qa.reformulation.synonyms import substitutions
from tests.bias_tasks.hostile import sized_answers

HERE = Path(__file__).parent
CASES = yaml.safe_load((HERE / "reformulation_cases.yaml").read_text(encoding="utf-8"))
KNOWN = {case["question"]: case for case in CASES["known"]}
PLACES = st.sampled_from(["Anna Berg", "the old ship", "Mount Arvo", "it", "The Lanterns"])


@pytest.mark.parametrize("question", KNOWN)
def test_known_question(question):
    made = {kind: reformulate(question, kind) for kind in REFORMULATIONS}
    assert made == {kind: KNOWN[question][kind] for kind in REFORMULATIONS}


@pytest.mark.parametrize("question", CASES["unknown"])
def test_question_that_is_left_alone(question):
    assert reformulate_all(question).missing() == REFORMULATIONS


@pytest.mark.parametrize("question", KNOWN)
def test_the_grammars_rewordings_pass_the_checks(question):
    for kind in REFORMULATIONS:
        if KNOWN[question][kind] is not None:
            assert check(question, kind, KNOWN[question][kind]) is None


def test_there_are_enough_cases():
    assert len(KNOWN) == len(CASES["known"])
    assert len({*KNOWN, *CASES["unknown"]}) >= 150
    assert len(CASES["unknown"]) >= 30


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be one of synonym"):
        reformulate("Is the moon a star?", "rude")


def test_blanks_capital_and_question_mark_are_mended():
    assert reformulate("  is the  moon a star ", "polite") == ("Would you say the moon is a star?")


@given(subject=PLACES, adjective=st.sampled_from(["old", "famous", "heavy"]))
def test_negating_keeps_every_word(subject, adjective):
    question = f"Was {subject} {adjective}?"
    assert reformulate(question, "contradictory") == f"Was {subject} not {adjective}?"
    assert reformulate(question, "false") == f"Is it false that {subject} was {adjective}?"


@given(st.text(max_size=200))
def test_any_text_is_reworded_or_left_alone(text):
    for question in (text, f"Is {text} a star?", f"Does the man {text} win?"):
        for kind in REFORMULATIONS:
            made = reformulate(question, kind)
            assert made is None or "?" in made


def test_huge_questions_are_left_alone_at_once():
    for _, text in sized_answers(1_000_000):
        for question in (text, f"Is {text} a star?", f'{text}? "{text}"'):
            assert reformulate_all(question).missing() == REFORMULATIONS


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("carry", "carries"),
        ("play", "plays"),
        ("have", "has"),
        ("go", "goes"),
        ("watch", "watches"),
    ],
)
def test_third_person(verb, form):
    assert third_person(verb) == form


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("carry", "carried"),
        ("play", "played"),
        ("stop", "stopped"),
        ("win", "won"),
        ("lie", None),
        ("frobnicate", None),
    ],
)
def test_past(verb, form):
    assert past(verb) == form


def test_no_substitution_touches_a_name_a_quotation_or_a_number():
    assert reformulate('Is "located in" a preposition?', "synonym") is None
    assert reformulate("Is Movie 43 a comedy?", "synonym") is None
    for made in substitutions():
        assert all(word == word.lower() and not word.isdigit() for word in made.old)
        assert " ".join(made.old) != made.new


def test_share_of_real_questions_handled_without_a_model(shared_data):
    path = HERE.parents[2] / "benchmarks" / "reformulation.py"
    spec = importlib.util.spec_from_file_location("reformulation_benchmark", path)
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    shares = {}
    for source, questions in benchmark.sources(shared_data).items():
        made = [reformulate_all(question) for question in questions]
        for question, rewordings in zip(questions, made, strict=True):
            for kind in REFORMULATIONS:
                text = getattr(rewordings, kind)
                assert text is None or check(question, kind, text) is None, question
        shares[source] = (sum(not one.missing() for one in made), len(made))
    assert shares == {
        "HotpotQA": (14, 14),
        "boolean expressions": (86, 86),
        "sports": (250, 250),
    }
