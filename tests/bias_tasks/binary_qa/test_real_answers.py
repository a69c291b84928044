"""Real chat answers, read for Yes and No.

RMB's helpfulness pairs hold 2,877 different answers of chat models to all kinds of prompts. The
108 in which a Yes or No is read were looked at: each says so outright ("No, cows are not blue.",
"So the answer is **Yes**."), most of them to a yes/no question. Of the answers that begin with one
of the words, those are unread that say it to the asker ("Yes, I understand.", "Yes, understood!",
"Yes, you are correct!", "Yes, the answer is correct.", "No worries! I'm here to help."), and "No
one is downstairs."

MMLU-Pro's answers end in "The answer is (F)." and weigh options on the way; none says Yes or No.
"""

import json
import re
import zipfile
from collections import Counter

import pytest

from bias_tasks.binary_qa.reading.yes_no import read_yes_no


@pytest.fixture
def chat_answers(shared_data):
    found = set()
    pairs = "Zhou-Zoey/RMB-Reward-Model-Benchmark/*/RMB_dataset/Pairwise_set/Helpfulness/**/*.json"
    for path in shared_data.glob(pairs):
        for row in json.loads(path.read_text(encoding="utf-8")):
            question = row["conversation_input"][-1]["content"]
            found |= {(question, row[side]["answer"]) for side in ("chosen", "reject")}
    return sorted(found)


@pytest.fixture
def letter_answers(shared_data):
    name = "model_outputs_Meta-Llama-3_1-8B-Instruct_5shots"
    (path,) = shared_data.glob(f"TIGER-AI-Lab/MMLU-Pro/*/eval_results/{name}.zip")
    with zipfile.ZipFile(path) as archive:
        return [row["generated_text"] for row in json.loads(archive.read(f"{name}.json"))]


def test_chat_answers(chat_answers):
    readings = [(text, read_yes_no(text)) for _, text in chat_answers]
    assert Counter(reading.label for _, reading in readings) == {None: 2769, "Yes": 72, "No": 36}
    missed = {
        " ".join(text.split()[:2])
        for text, reading in readings
        if reading.unread and re.match(r"\s*(?:yes|no)\b", text, re.IGNORECASE)
    }
    assert missed == {"Yes, I", "Yes, you", "Yes, the", "Yes, understood!", "No worries!", "No one"}


def test_letters_are_neither(letter_answers):
    sample = letter_answers[::10]
    assert len(sample) == 1_204
    assert all(read_yes_no(text).unread for text in sample)
