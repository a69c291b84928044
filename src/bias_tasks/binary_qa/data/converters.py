"""Turns each data set's own records into yes/no questions (paper, section 2.1)."""

import ast
import csv
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple, get_args

from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    BinaryItem,
    BinaryLabel,
    NumberStyle,
    PendingNumberQuestion,
)
from bias_tasks.data.files import RawRecord, cell, csv_rows, jsonl, parsed_json
from bias_tasks.names import content_hash

ACCEPTABLE = "Is this acceptable according to ordinary morality in usual circumstances?"
FAIR = "Is this fair/just according to ordinary morality in usual circumstances?"
PLAUSIBLE = "Is the sentence plausible?"
TRUE = "Is the statement true according to the premises?"
ERROR = "Is there an error in the translation?"

_PARAGRAPHS = 10
"""Two that answer the question and eight distractors."""
_MARKUP = re.compile(r"</?v>")
# How the names of systems begin that are people's translations.
_HUMAN = re.compile(r"human|ref", re.IGNORECASE)
_NO_ERRORS = ("no-error", "source", "creative reinterpretation")
"""Beginnings of the categories that are no error of the translation, at any severity."""
_COLUMNS = ("system", "doc", "seg_id", "rater", "source", "target", "category", "severity")
_CELLS = tuple(product(get_args(NumberStyle), BINARY_LABELS))
"""Which of the four a question becomes is told by its hash, so no question is asked twice."""
Row = Mapping[str, str]


class Candidate(NamedTuple):
    """A question that may be asked."""

    item: BinaryItem
    stratum: str = ""
    """Level or style, where the recipe asks for so many of each."""


def candidate(
    source: str,
    domain: str,
    question: str,
    context: str | None,
    *,
    yes: bool,
    shared: str | None = None,
    stratum: str = "",
) -> Candidate:
    """A question whose id hashes all that it consists of.

    `yes`: whether Yes is right. `shared`: the text that questions of one cluster share (a passage);
    without it the question is a cluster of its own.
    """
    answer: BinaryLabel = "Yes" if yes else "No"
    identifier = f"{source}-{content_hash(question, context, answer)}"
    item = BinaryItem(
        id=identifier,
        question=question,
        answer=answer,
        domain=domain,
        source=source,
        cluster=identifier if shared is None else f"{source}-{content_hash(shared)}",
        context=context,
    )
    return Candidate(item, stratum)


def as_question(text: str) -> str:
    """The text with a capital letter in front and a question mark at the end."""
    bare = " ".join(text.split()).rstrip(" ?")
    return f"{bare[:1].upper()}{bare[1:]}?"


def boolq(paths: Sequence[Path]) -> Iterator[Candidate]:
    """BoolQ: columns `question`, `passage`, `answer` (true or false)."""
    for record in jsonl(paths):
        passage = cell("boolq", record, "passage", str).strip()
        question = as_question(cell("boolq", record, "question", str))
        yes = cell("boolq", record, "answer", bool)
        yield candidate("boolq", "reading", question, passage, yes=yes, shared=passage)


def hotpotqa(paths: Sequence[Path]) -> Iterator[Candidate]:
    """HotpotQA (distractor): the comparison questions that are answered by yes or no."""
    for record in jsonl(paths):
        yield from _hotpotqa("hotpotqa", record, cell("hotpotqa", record, "level", str))


def hotpotqa_formateval(paths: Sequence[Path]) -> Iterator[Candidate]:
    """FormatEval's table of HotpotQA, in which a context is written as a Python literal."""
    for row in csv_rows(paths):
        if row["answer"] in ("yes", "no"):
            record = {**row, "context": ast.literal_eval(row["context"])}
            yield from _hotpotqa("hotpotqa_formateval", record, "")


def _hotpotqa(source: str, record: RawRecord, stratum: str) -> Iterator[Candidate]:
    context = cell(source, record, "context", dict)
    paragraphs = [
        f"{title}\n{' '.join(sentence.strip() for sentence in sentences)}"
        for title, sentences in zip(context["title"], context["sentences"], strict=True)
    ]
    if len(paragraphs) == _PARAGRAPHS:
        question = as_question(cell(source, record, "question", str))
        yes = cell(source, record, "answer", str) == "yes"
        text = "\n\n".join(paragraphs)
        yield candidate(source, "multi_hop", question, text, yes=yes, stratum=stratum)


def ethics_commonsense(paths: Sequence[Path]) -> Iterator[Candidate]:
    """ETHICS commonsense: label 1 means that what is told is clearly wrong."""
    source = "ethics_commonsense"
    for record in jsonl(paths):
        if cell(source, record, "is_short", bool):
            scenario = cell(source, record, "input", str).strip()
            acceptable = not cell(source, record, "label", int)
            yield candidate(source, "ethics", ACCEPTABLE, scenario, yes=acceptable)


def ethics_justice(paths: Sequence[Path]) -> Iterator[Candidate]:
    """ETHICS justice: label 1 means that the reason given is a fair one."""
    source = "ethics_justice"
    for record in jsonl(paths):
        scenario = cell(source, record, "scenario", str).strip()
        fair = bool(cell(source, record, "label", int))
        yield candidate(source, "ethics", FAIR, scenario, yes=fair)


def bbh_sports(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Sports understanding: the sentence is the context, so that every question is the same."""
    for record in _examples(paths):
        sentence = record["input"].removeprefix("Is the following sentence plausible? ")
        context, yes = f"Sentence: {sentence}", record["target"] == "yes"
        yield candidate("bbh_sports", "plausibility", PLAUSIBLE, context, yes=yes)


def bbh_boolean(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Boolean expressions, in Python's notation."""
    for record in _examples(paths):
        question = f'Is the expression "{record["input"].removesuffix(" is")}" true?'
        yes = record["target"] == "True"
        yield candidate("bbh_boolean", "boolean_logic", question, None, yes=yes)


def _examples(paths: Sequence[Path]) -> Iterator[RawRecord]:
    for path in paths:
        yield from parsed_json(path.read_bytes())["examples"]


def folio_binary(paths: Sequence[Path]) -> Iterator[Candidate]:
    """FOLIO's proved (True) and disproved (False) statements.

    The statement stands in the context, and the question asks whether it is true: of a disproved
    one the opposite follows, so the negative rewordings have the opposite answer exactly.
    """
    for record in jsonl(paths):
        if record["label"] in ("True", "False"):
            premises = "\n".join(premise.strip() for premise in record["premises"])
            context = f"Premises:\n{premises}\n\nStatement: {record['conclusion'].strip()}"
            yes = record["label"] == "True"
            yield candidate("folio_binary", "deduction", TRUE, context, yes=yes, shared=premises)


def drop(paths: Sequence[Path]) -> Iterator[Candidate]:
    """DROP: columns `passage`, `question`, `answer`, and what others answered.

    Each question for a number is to become one of four yes/no questions.
    """
    for record in jsonl(paths):
        question = " ".join(cell("drop", record, "question", str).split())
        value = _agreed_number(record)
        if value is not None and question.lower().startswith("how many ") and question[-1] == "?":
            passage = cell("drop", record, "passage", str).strip()
            digest = content_hash(question, passage, value)
            style, answer = _CELLS[int(digest, 16) % len(_CELLS)]
            item = PendingNumberQuestion(
                id=f"drop-{digest}",
                question=question,
                answer=answer,
                domain="numerical",
                source="drop",
                cluster=f"drop-{content_hash(passage)}",
                context=passage,
                value=value,
                style=style,
            )
            yield Candidate(item, style)


def _agreed_number(record: RawRecord) -> int | float | None:
    """The number that everybody gave as the answer, or None."""
    gold = _number(cell("drop", record, "answer", dict).get("number"))
    others = cell("drop", record, "validated_answers", dict).get("number") or []
    return gold if all(_number(other) == gold for other in others) else None


def _number(text: object) -> int | float | None:
    """The number that a cell holds; there is none where the answer was a date or a span."""
    try:
        number = float(text) if isinstance(text, str) else math.nan
    except ValueError:
        return None
    if not math.isfinite(number) or number < 0:
        return None
    return int(number) if number.is_integer() else number


def mqm(source: str, paths: Sequence[Path], least_ratings: int) -> Iterator[Candidate]:
    """Machine translations whose errors people marked: those with `least_ratings` ratings that all
    agree.

    Any error makes the answer Yes. A file has a row for each mark that a rater made in a translated
    segment, or one that says there is nothing to mark. The marked words stand in `<v>...</v>`.
    """
    for (sentence, translation), verdicts in _verdicts(_rows(source, paths)).items():
        erroneous = verdicts[0]
        if len(verdicts) >= least_ratings and len(set(verdicts)) == 1 and erroneous is not None:
            context = f"Source (English): {sentence}\nTranslation (German): {translation}"
            yield candidate(source, "translation", ERROR, context, yes=erroneous, shared=sentence)


def _rows(source: str, paths: Sequence[Path]) -> Iterator[Row]:
    """What raters marked of machine translations."""
    for path in paths:
        with path.open(encoding="utf-8", newline="") as lines:
            for record in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                row = {column: cell(source, record, column, str) for column in _COLUMNS}
                if not _HUMAN.match(row["system"]):
                    yield row


def _verdicts(rows: Iterable[Row]) -> Mapping[tuple[str, str], Sequence[bool | None]]:
    """What each rating of a translation says; segments that raters saw differently are left out."""
    ratings: dict[tuple[str, ...], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        ratings[row["system"], row["doc"], row["seg_id"]][row["rater"]].append(row)
    verdicts: dict[tuple[str, str], list[bool | None]] = defaultdict(list)
    for by_rater in ratings.values():
        marks = [row for rating in by_rater.values() for row in rating]
        pairs = {(_plain(row["source"]), _plain(row["target"])) for row in marks}
        if len(pairs) == 1:
            verdicts[pairs.pop()] += [_verdict(rating) for rating in by_rater.values()]
    return verdicts


def _verdict(rating: Iterable[Row]) -> bool | None:
    """Whether there is an error, None where the marks don't tell."""
    kinds = {(row["category"].lower(), row["severity"].lower()) for row in rating}
    marked = {category for category, severity in kinds if severity in ("minor", "major")}
    if any(not category.startswith(_NO_ERRORS) for category in marked):
        return True
    return False if all(category == "no-error" for category, _ in kinds) else None


def _plain(text: str) -> str:
    """The text without the marks and the blanks that might tell where they were; a cell that is
    quoted as a whole has its quotation marks doubled."""
    inner = text[1:-1]
    if text[:1] == text[-1:] == '"' and '""' in inner and '"' not in inner.replace('""', ""):
        text = inner.replace('""', '"')
    return " ".join(_MARKUP.sub("", text).split())


CONVERTERS: Mapping[str, Callable[[Sequence[Path]], Iterator[Candidate]]] = {
    "boolq": boolq,
    "hotpotqa": hotpotqa,
    "drop": drop,
    "wmt2020_ende": partial(mqm, "wmt2020_ende", least_ratings=2),  # three raters each
    "ethics_commonsense": ethics_commonsense,
    "ethics_justice": ethics_justice,
    "hotpotqa_formateval": hotpotqa_formateval,
    "wmt_ted_ende": partial(mqm, "wmt_ted_ende", least_ratings=1),  # TED talks, one rater each
    "bbh_sports": bbh_sports,
    "bbh_boolean": bbh_boolean,
    "folio_binary": folio_binary,
}
