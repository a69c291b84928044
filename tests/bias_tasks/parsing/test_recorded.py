"""Recorded answers of real models are parsed as they mean, and never as something else."""

import json
import random
import re
import zipfile
from collections import Counter, defaultdict
from typing import NamedTuple

import pytest

from benchmarks.studies import parsing_study as study
from bias_tasks.parsing import parse_answer
from tests.bias_tasks.parsing.recorded import count_outcomes, outcome, recall, recorded_answers


class Bounds(NamedTuple):
    """What the parser has to reach on a file of answers."""

    answers: int
    min_right: int
    max_wrong: int
    max_invented: int


BOUNDS = {
    "recorded": Bounds(4697, 4672, 0, 0),
    "recorded_own_prompts": Bounds(670, 461, 0, 4),
    "written_sets": Bounds(340, 270, 0, 0),
}
"""The outcomes on each file, `min_right` among answers that say something."""
ON_THE_PAGE = ("recorded", "written_sets")
"""The files that make up a whole set of the page."""
MIN_SOURCE_RECALL = 0.85
"""Share of a source's answers with a value that are parsed right."""
MAX_CHANGED = {True: 1, False: 5}
"""Values of 700 cut answers that differ from those of the complete ones, with and without the
stop reason."""
MIN_LETTERS, MAX_OTHER_LETTERS = 444, 0
"""Letters of 502 answers to MMLU-Pro: those behind "answer is", and others."""
MAX_CHAT_LABELS = 40
"""Answers of 477 to prompts of all kinds that say yes or no."""
LETTERS = "ABCDEFGHIJ"


@pytest.fixture(scope="module")
def values():
    """The parsed value of each recorded answer."""
    return {answer: answer.parse() for name in BOUNDS for answer in recorded_answers(name)}


@pytest.mark.parametrize("name", BOUNDS)
def test_figures_of_the_recorded_files(name, values):
    """The page has them, too: `parsing_study ANSWERS --write` writes them."""
    answers, bounds = recorded_answers(name), BOUNDS[name]
    counts = count_outcomes(answers, map(values.get, answers))
    false = [a.id for a in answers if outcome(values[a], a.says) in ("wrong", "invented")]
    assert counts.total() == bounds.answers
    assert counts["right"] >= bounds.min_right, counts
    assert counts["wrong"] <= bounds.max_wrong, false
    assert counts["invented"] <= bounds.max_invented, false
    line = " | ".join(study.set_line(study.SETS[name], counts))
    assert f"| {line} |" in study.PAGES["sets"].read_text("utf-8") or name not in ON_THE_PAGE


def test_every_source_is_parsed(values):
    sources = defaultdict(list)
    for answer in recorded_answers():
        sources[answer.form, answer.source].append(answer)
    for source, answers in sources.items():
        counts = count_outcomes(answers, map(values.get, answers))
        assert recall(counts) >= MIN_SOURCE_RECALL, (source, counts)


def test_truncated_answers_keep_their_value_or_lose_it(values):
    """Cut at a random word; with the stop reason the value is known to be open to change."""
    draw = random.Random(7)
    changed: Counter[bool] = Counter()
    for answer in draw.sample(recorded_answers(), 700):
        full = answer.text.strip()
        ends = [match.start() for match in re.finditer(r"\s", full)]
        text = full[: draw.choice(ends)] if ends else ""
        for truncated in (True, False) if text else ():
            value = answer.parse(text, truncated=truncated)
            changed[truncated] += value not in (None, values[answer])
    assert all(changed[truncated] <= MAX_CHANGED[truncated] for truncated in changed), changed


@pytest.fixture
def letter_answers(shared_data):
    name = "model_outputs_Meta-Llama-3_1-8B-Instruct_5shots"
    (path,) = shared_data.glob(f"TIGER-AI-Lab/MMLU-Pro/*/eval_results/{name}.zip")
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(f"{name}.json"))[::24]


def test_letters_of_mmlu_pro(letter_answers):
    """Where a text names a letter behind "answer is", that letter is parsed."""
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
    assert counts.total() == 502
    assert counts["right"] >= MIN_LETTERS, counts
    assert counts["another"] <= MAX_OTHER_LETTERS, counts


@pytest.fixture
def chat_answers(shared_data):
    """Answers of chat models to all kinds of prompts."""
    answers = set()
    pairs = "Zhou-Zoey/RMB-Reward-Model-Benchmark/*/RMB_dataset/Pairwise_set/Helpfulness/**/*.json"
    for path in shared_data.glob(pairs):
        for row in json.loads(path.read_text(encoding="utf-8")):
            answers |= {row[side]["answer"] for side in ("chosen", "reject")}
    return sorted(answers)[::6]


def test_chat_answers_say_yes_or_no_outright_or_are_unparsed(chat_answers):
    answers = [(text, parse_answer(text, form="yes_no")) for text in chat_answers]
    labels = [(text, answer.label) for text, answer in answers if not answer.unparsed]
    words = {"Yes": ("yes", "yeah", "yep"), "No": ("no",)}
    assert all(any(word in text.lower() for word in words[label]) for text, label in labels)
    assert len(answers) == 477
    assert len(labels) <= MAX_CHAT_LABELS
