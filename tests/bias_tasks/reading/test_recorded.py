"""Recorded answers of real models, whose meaning the source itself states, are read as they mean.

`recorded.jsonl` names the source, the model, the licence and why the meaning is certain in each
row; the other answers are read where the real files are at hand.
"""

import json
import re
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from bias_tasks.reading.answer import read_answer

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("recorded.jsonl").read_text(encoding="utf-8").splitlines()
]
LABELS = ("True", "False", "Unknown")
LETTERS = "ABCDEFGHIJ"


def asked(row):
    """What was asked for, as `read_answer` takes it."""
    form = row["form"]
    if form == "choice":
        return {"options": row["n"], "labels": row["symbols"]}
    if form == "judging":
        return {"offered": LABELS[: row["shown"]]}
    if form in ("score", "criteria"):
        return {"scale": row["scale"], "criteria": row.get("criteria", ())}
    return {}


def said(row):
    """What is read, in the words of the source."""
    reading = read_answer(row["text"], form=row["form"], **asked(row))
    if row["form"] == "choice":
        return None if reading.unread else list(reading.options)
    return reading.value


def test_every_source_and_form():
    found = defaultdict(Counter)
    for row in ROWS:
        read, gold = said(row), row["gold"]
        verdict = "right" if read == gold else "unread" if read is None else "wrong"
        found[row["form"], row["source"]][verdict] += 1
    assert sum(map(Counter.total, found.values())) == 4697
    missed = {key: counts for key, counts in found.items() if set(counts) != {"right"}}
    assert not missed


@pytest.fixture
def letter_answers(shared_data):
    name = "model_outputs_Meta-Llama-3_1-8B-Instruct_5shots"
    (path,) = shared_data.glob(f"TIGER-AI-Lab/MMLU-Pro/*/eval_results/{name}.zip")
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(f"{name}.json"))


def test_letters_of_mmlu_pro(letter_answers):
    """12,032 answers; the file has the letter that the benchmark's own patterns found. Where the
    text names a letter behind "answer is", that letter is read, or both that it names."""
    counts = Counter()
    for row in letter_answers:
        text = row["generated_text"]
        reading = read_answer(text, form="choice", options=len(row["options"]), labels="letters")
        first = re.search(r"answer is \(?([A-J])\)?(?!\w)", text)
        if first is None:
            counts["no letter, read" if not reading.unread else "no letter, unread"] += 1
        elif reading.unread:
            counts["unread"] += 1
        elif LETTERS.index(first[1]) in reading.options:
            counts["right"] += 1
        else:
            counts["another"] += 1
    assert counts.total() == 12_032
    assert dict(counts) == {
        "right": 10_973,
        "no letter, unread": 1_032,
        # Ten say that "the answer is not among the choices"; five have letters of formulas.
        "no letter, read": 17,
        "another": 8,  # "(B) or (I) ... The answer is (I)."
        "unread": 2,  # "The answer is (B) or (I)."
    }


@pytest.fixture
def chat_answers(shared_data):
    """2,877 answers of chat models to all kinds of prompts."""
    found = set()
    pairs = "Zhou-Zoey/RMB-Reward-Model-Benchmark/*/RMB_dataset/Pairwise_set/Helpfulness/**/*.json"
    for path in shared_data.glob(pairs):
        for row in json.loads(path.read_text(encoding="utf-8")):
            found |= {row[side]["answer"] for side in ("chosen", "reject")}
    return sorted(found)


def test_chat_answers_say_yes_or_no_outright_or_are_unread(chat_answers):
    readings = [(text, read_answer(text, form="yes_no")) for text in chat_answers]
    read = [(text, reading) for text, reading in readings if not reading.unread]
    assert all(reading.label.lower() in text.lower() for text, reading in read)
    assert Counter(reading.label for _, reading in readings) == {None: 2747, "Yes": 76, "No": 34}
