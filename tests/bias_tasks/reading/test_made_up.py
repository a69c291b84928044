"""Answers that people and models made up for the tests: told here, and not what is tuned to.

Each set holds realistic answers, and adversarial ones that a careful reader is needed for.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from bias_tasks.reading.answer import NOT_OFFERED, read_answer

FOLDER = Path(__file__).with_name("made_up")


def read(form, row):
    """What is read of a row, and what it says."""
    text, kind = row["text"], row.get("kind", form)
    if kind == "choice":
        reading = read_answer(text, form="choice", options=row["n"])
        places = [place + 1 for place in reading.options] if reading.label else []
        said = (row["label"], row["options"] if row["label"] in ("single", "multiple") else [])
        if row["label"] == "invalid":
            return (None, []), (None if reading.why.startswith(NOT_OFFERED) else "invalid", [])
        return (reading.label, places), said
    if kind in ("judging", "yes_no"):
        reading = read_answer(text, form=kind)
        said = None if row["label"] == "invalid" else row["label"]
        return reading.label, said
    value = row["value"]
    if kind == "score":
        return read_answer(text, form="score").value, value
    if kind == "criteria":
        return read_answer(text, form="criteria", criteria=row["criteria"]).value, value
    if kind == "first_error":
        reading = read_answer(text, form="first_error", steps=row["n_steps"])
        return reading.value, value
    scale, names = row["scale"], row["dimensions"]
    reading = read_answer(text, form="flaws", criteria=names, scale=scale)
    keys = ("dimension", "severity", "quote")
    said = None if value is None else [tuple(flaw[key] for key in keys) for flaw in value]
    return (None if reading.unread else [tuple(flaw) for flaw in reading.value]), said


def counted(name, form, part):
    rows = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))[part]
    counts, sets = Counter(), Counter()
    for row in rows:
        found, said = read(form, row)
        unread = found in (None, (None, []))
        verdict = "right" if found == said else "unread" if unread else "wrong"
        counts[verdict] += 1
        if form == "choice" and row["label"] in ("multiple", "none"):
            sets[verdict] += 1
    return counts, sets


FORMS = {"choice": "choice", "judging": "judging", "yesno": "yes_no", "judges": "score"}


def styles():
    """By form, how the ways are read in which chat models write an answer: markdown, LaTeX, lists,
    JSON, verdicts in brackets, several options, none, and answers that say nothing."""
    lines = (FOLDER / "styles.jsonl").read_text(encoding="utf-8").splitlines()
    counts = {}
    for row in map(json.loads, lines):
        form, says = row["form"], row["says"]
        reading = read_answer(row["text"], form=form, **row["asked"])
        found = list(reading.options) if form == "choice" else reading.value
        found = len(found or ()) if form == "flaws" else found
        right = reading.unread if says is None else not reading.unread and found == says
        verdict = "right" if right else "unread" if reading.unread else "wrong"
        counts.setdefault(form, Counter())[verdict] += 1
    return counts


def written_blind(name):
    """How answers are read of which most name several options or deny all, most written blind."""
    counts = Counter()
    for row in map(json.loads, (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()):
        said = read_answer(row["text"], form="choice", options=row["options"], labels=row["labels"])
        found = None if said.unread else list(said.options)
        verdict = "right" if found == row["says"] else "unread" if found is None else "wrong"
        counts[verdict] += 1
    return counts


def test_sets_of_options_and_denials_that_were_written_blind():
    counts = written_blind("sets") + written_blind("blind")
    assert counts.total() == 1574 + 5850
    assert counts["right"] / counts.total() >= 0.97, counts
    assert counts["wrong"] <= 22, counts


def test_the_ways_in_which_chat_models_write():
    total = sum(styles().values(), Counter())
    assert total["right"] / total.total() >= 0.95, total
    assert total["wrong"] / total.total() <= 0.005, total


@pytest.mark.parametrize("name", FORMS)
def test_realistic_answers(name):
    total = Counter()
    for part in ("mended", "fresh"):
        total += counted(f"{name}_{part}", FORMS[name], "realistic")[0]
    assert total["right"] / total.total() >= 0.94, total
    assert total["wrong"] / total.total() <= 0.005, total


def test_realistic_answers_that_name_several_options_or_none():
    total = Counter()
    for part in ("mended", "fresh"):
        total += counted(f"choice_{part}", "choice", "realistic")[1]
    assert total.total() == 288
    assert total["right"] / total.total() >= 0.98, total
    assert total["wrong"] == 0, total


@pytest.mark.parametrize("name", FORMS)
def test_adversarial_answers(name):
    total = Counter()
    for part in ("mended", "fresh"):
        total += counted(f"{name}_{part}", FORMS[name], "adversarial")[0]
    assert total["wrong"] / total.total() <= 0.06, total
