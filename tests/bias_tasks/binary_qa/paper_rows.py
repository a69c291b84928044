"""Made-up rows in the layouts of the paper's data sets, and a cache filled with them."""

import hashlib
import json

from bias_tasks.binary_qa.data.paper import BINARY_SOURCES
from bias_tasks.data.fetch import cached_files

COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")


def boolq(i, answer):
    return {"question": f"is thing {i} blue", "answer": answer, "passage": f"Thing {i // 3}."}


def hotpotqa(i, answer, level="hard", paragraphs=10):
    return {
        "id": str(i),
        "question": f"Are the towns A{i} and B{i} in one country?",
        "answer": answer,
        "type": "comparison",
        "level": level,
        "supporting_facts": {"title": [f"A{i}"], "sent_id": [0]},
        "context": {
            "title": [f"Town {p}" for p in range(paragraphs)],
            "sentences": [[f"Town {p} is old.", f" It is near {i}."] for p in range(paragraphs)],
        },
    }


def drop(i, number="7", others=("7", "7"), question=None):
    return {
        "section_id": f"nfl_{i}",
        "query_id": str(i),
        "passage": f"A game in which team {i} scored.",
        "question": question or f"How many points did team {i} score?",
        "answer": {"number": number, "date": {"day": "", "month": "", "year": ""}, "spans": []},
        "validated_answers": {"number": list(others), "date": [], "spans": []},
    }


def commonsense(i, label, is_short=True):
    return {"label": label, "input": f"I did thing {i}.", "is_short": is_short, "edited": False}


def justice(i, label):
    return {"label": label, "scenario": f"I deserve thing {i} because of it."}


def mark(segment, rater, category="No-error", severity="No-error", **cells):
    texts = f"Sentence {segment}.", f"Satz {segment}."
    row = ("Online-B.1590", "news.1", "1", str(segment), rater, *texts, category, severity)
    return dict(zip(COLUMNS, row, strict=True)) | cells


def table(rows):
    lines = ["\t".join(COLUMNS), *("\t".join(row[c] for c in COLUMNS) for row in rows)]
    return "\n".join(lines) + "\n"


def write_jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def fill_cache(without=()):
    """Write more rows of every source of the paper than a run needs to the cache."""
    levels = ("easy", "medium", "hard")
    hub_rows = {
        "boolq": [boolq(i, i % 2 == 0) for i in range(300)],
        "hotpotqa": [hotpotqa(i, ("yes", "no")[i % 2], levels[i // 2 % 3]) for i in range(360)],
        "drop": [drop(i) for i in range(400)],
        "ethics_commonsense": [commonsense(i, i % 2) for i in range(150)],
        "ethics_justice": [justice(i, i % 2) for i in range(150)],
    }
    for name, rows in hub_rows.items():
        source = BINARY_SOURCES[name]
        if name not in without:
            [cached] = cached_files(source)
            cached.path.parent.mkdir(parents=True, exist_ok=True)
            digest = hashlib.sha256(write_jsonl(cached.path, rows).read_bytes()).hexdigest()
            pin = {"revision": source.revision or "resolved", "sha256": digest}
            cached.pin.write_text(json.dumps(pin))
    if "wmt2020_ende" not in without:
        source = BINARY_SOURCES["wmt2020_ende"]
        path = cached_files(source)[0].path
        path.parent.mkdir(parents=True)
        path.write_text(table(wmt_rows()), encoding="utf-8")


def wmt_rows():
    for i in range(300):
        error = ("Fluency/Grammar", "Minor") if i % 2 else ("No-error", "No-error")
        for rater in ("rater1", "rater2", "rater3"):
            yield mark(i, rater, *error)
