"""Recorded answers of real models are parsed as they mean, and never as something else."""

import json
import random
import re
import zipfile
from collections import Counter

import pytest

from bias_tasks.parsing import parse_answer
from tests.bias_tasks.parsing.recorded import all_rows, counts_by_source, gold_of, parsed, rows

LETTERS = "ABCDEFGHIJ"
WRONG = {"o04804"}
"""Begins with option 2 and ends with a sentence that says the opposite."""


def test_no_recorded_answer_is_given_another_value():
    wrong = [row["id"] for row in all_rows() if parsed(row) not in (gold_of(row), None)]
    assert set(wrong) <= WRONG


def test_every_source_is_parsed():
    answers = all_rows()
    assert len(answers) == 4697 + 670
    for (form, source), counts in counts_by_source(answers).items():
        share = counts["right"] / counts.total()
        assert share >= 0.92, (form, source, counts)
    counts = sum(counts_by_source(rows()).values(), Counter())
    assert counts["right"] / counts.total() >= 0.995


def test_truncated_answers_keep_their_value_or_lose_it():
    """Cut at a random word; with the stop reason the value is known to be open to change."""
    draw = random.Random(7)
    changed: Counter[bool] = Counter()
    answers = draw.sample(all_rows(), 2000)
    for row in answers:
        ends = [match.start() for match in re.finditer(r"\s", row["text"].strip())]
        text = row["text"].strip()[: draw.choice(ends)] if ends else ""
        for truncated in (True, False) if text else ():
            value = parsed(row, text, truncated=truncated)
            changed[truncated] += value not in (None, parsed(row))
    assert changed[True] <= 2
    assert changed[False] <= 6


@pytest.fixture
def letter_answers(shared_data):
    name = "model_outputs_Meta-Llama-3_1-8B-Instruct_5shots"
    (path,) = shared_data.glob(f"TIGER-AI-Lab/MMLU-Pro/*/eval_results/{name}.zip")
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(f"{name}.json"))


def test_letters_of_mmlu_pro(letter_answers):
    """12,032 answers; where a text names a letter behind "answer is", that letter is parsed."""
    counts = Counter()
    for row in letter_answers:
        text = row["generated_text"]
        answer = parse_answer(text, form="choice", options=row["options"], option_labels="letters")
        first = re.search(r"answer is \(?([A-J])\)?(?!\w)", text)
        if first is None:
            counts["no letter, unparsed" if answer.unparsed else "no letter, parsed"] += 1
        elif answer.unparsed:
            counts["unparsed"] += 1
        else:
            right = LETTERS.index(first[1]) in answer.options
            counts["right" if right else "another"] += 1
    assert counts.total() == 12_032
    assert counts["right"] >= 10_965, counts
    assert counts["another"] <= 8, counts  # "(B) or (I) ... The answer is (I)."


@pytest.fixture
def chat_answers(shared_data):
    """2,877 answers of chat models to all kinds of prompts."""
    answers = set()
    pairs = "Zhou-Zoey/RMB-Reward-Model-Benchmark/*/RMB_dataset/Pairwise_set/Helpfulness/**/*.json"
    for path in shared_data.glob(pairs):
        for row in json.loads(path.read_text(encoding="utf-8")):
            answers |= {row[side]["answer"] for side in ("chosen", "reject")}
    return sorted(answers)


def test_chat_answers_say_yes_or_no_outright_or_are_unparsed(chat_answers):
    answers = [(text, parse_answer(text, form="yes_no")) for text in chat_answers]
    labels = [(text, answer.label) for text, answer in answers if not answer.unparsed]
    assert all(label.lower() in text.lower() for text, label in labels)
    assert len(answers) == 2857
    assert len(labels) <= 150
