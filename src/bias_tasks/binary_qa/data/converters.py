"""Convert the records of each data set to yes/no questions (paper, section 2.1)."""

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
from bias_tasks.data.files import RawRecord, get_cell, parse_json, read_csv, read_jsonl
from bias_tasks.digests import content_hash

ACCEPTABLE = "Is this acceptable according to ordinary morality in usual circumstances?"
FAIR = "Is this fair/just according to ordinary morality in usual circumstances?"
PLAUSIBLE = "Is the sentence plausible?"
TRUE = "Is the statement true according to the premises?"
ERROR = "Is there an error in the translation?"

_PARAGRAPHS = 10
"""Paragraphs of a context: two that answer the question, and eight distractors."""
_MARKUP = re.compile(r"</?v>")
# Human translations are excluded, because raters seldom mark errors in them.
_HUMAN = re.compile(r"human|ref", re.IGNORECASE)
_NO_ERRORS = ("no-error", "source", "creative reinterpretation")
"""Prefixes of categories that are not an error of the translation, at any severity."""
_COLUMNS = ("system", "doc", "seg_id", "rater", "source", "target", "category", "severity")
_NUMBER_FORMS = tuple(product(get_args(NumberStyle), BINARY_LABELS))
"""Style and answer of a number question's yes/no form. A hash picks one, so that no question occurs
in two forms."""
Row = Mapping[str, str]


class Candidate(NamedTuple):
    """A question that a data set offers."""

    item: BinaryItem
    stratum: str = ""
    """Level or style, if the paper's recipe has a quota for each; else empty."""


def build_candidate(
    source: str,
    domain: str,
    question: str,
    context: str | None,
    *,
    yes: bool,
    shared: str | None = None,
    stratum: str = "",
) -> Candidate:
    """Return a question with an id that hashes its content.

    Args:
        source: Name of the data set.
        domain: Domain of the question.
        question: Text of the question.
        context: Text that the question is about; None if it has none.
        yes: Whether Yes is the correct answer.
        shared: Text that the questions of one cluster share, such as a passage; None if the
            question is a cluster of its own.
        stratum: As in `Candidate`.
    """
    answer: BinaryLabel = "Yes" if yes else "No"
    identifier = f"{source}-{content_hash(question, context, answer)}"
    cluster = identifier if shared is None else f"{source}-{content_hash(shared)}"
    item = BinaryItem(identifier, question, answer, domain, source, cluster, context)
    return Candidate(item, stratum)


def format_question(text: str) -> str:
    """Return the text with a capital first letter and one question mark at the end."""
    bare = " ".join(text.split()).rstrip(" ?")
    return f"{bare[:1].upper()}{bare[1:]}?"


def boolq(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert BoolQ: columns `question`, `passage`, `answer` (true or false)."""
    for record in read_jsonl(paths):
        passage = get_cell(record, "passage", str).strip()
        question = format_question(get_cell(record, "question", str))
        yes = get_cell(record, "answer", bool)
        yield build_candidate("boolq", "reading", question, passage, yes=yes, shared=passage)


def hotpotqa(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert HotpotQA (distractor): the comparison questions with a yes/no answer."""
    for record in read_jsonl(paths):
        yield from _convert_hotpotqa("hotpotqa", record, get_cell(record, "level", str))


def hotpotqa_formateval(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert FormatEval's table of HotpotQA, in which a context is a Python literal."""
    for row in read_csv(paths):
        if row["answer"] in ("yes", "no"):
            record = {**row, "context": ast.literal_eval(row["context"])}
            yield from _convert_hotpotqa("hotpotqa_formateval", record, "")


def _convert_hotpotqa(source: str, record: RawRecord, stratum: str) -> Iterator[Candidate]:
    context = get_cell(record, "context", dict)
    paragraphs = [
        f"{title}\n{' '.join(map(str.strip, sentences))}"
        for title, sentences in zip(context["title"], context["sentences"], strict=True)
    ]
    if len(paragraphs) == _PARAGRAPHS:
        question = format_question(get_cell(record, "question", str))
        yes = get_cell(record, "answer", str) == "yes"
        text = "\n\n".join(paragraphs)
        yield build_candidate(source, "multi_hop", question, text, yes=yes, stratum=stratum)


def ethics_commonsense(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert ETHICS commonsense: label 1 means that the action is clearly wrong."""
    source = "ethics_commonsense"
    for record in read_jsonl(paths):
        if get_cell(record, "is_short", bool):
            scenario = get_cell(record, "input", str).strip()
            acceptable = not get_cell(record, "label", int)
            yield build_candidate(source, "ethics", ACCEPTABLE, scenario, yes=acceptable)


def ethics_justice(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert ETHICS justice: label 1 means that the stated reason is fair."""
    source = "ethics_justice"
    for record in read_jsonl(paths):
        scenario = get_cell(record, "scenario", str).strip()
        fair = bool(get_cell(record, "label", int))
        yield build_candidate(source, "ethics", FAIR, scenario, yes=fair)


def bbh_sports(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert sports understanding; the sentence is the context, so all questions are the same."""
    for record in _read_examples(paths):
        sentence = record["input"].removeprefix("Is the following sentence plausible? ")
        context, yes = f"Sentence: {sentence}", record["target"] == "yes"
        yield build_candidate("bbh_sports", "plausibility", PLAUSIBLE, context, yes=yes)


def bbh_boolean(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert Boolean expressions in Python's notation."""
    for record in _read_examples(paths):
        question = f'Is the expression "{record["input"].removesuffix(" is")}" true?'
        yes = record["target"] == "True"
        yield build_candidate("bbh_boolean", "boolean_logic", question, None, yes=yes)


def _read_examples(paths: Sequence[Path]) -> Iterator[RawRecord]:
    for path in paths:
        yield from parse_json(path.read_bytes())["examples"]


def folio_binary(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert FOLIO's proved (True) and disproved (False) statements.

    The context includes the statement, and the question asks whether it is true. The negation of a
    disproved statement follows from the premises, so negative rewordings have the opposite answer.
    """
    for record in read_jsonl(paths):
        if record["label"] in ("True", "False"):
            premises = "\n".join(premise.strip() for premise in record["premises"])
            text = f"Premises:\n{premises}\n\nStatement: {record['conclusion'].strip()}"
            yes = record["label"] == "True"
            yield build_candidate("folio_binary", "deduction", TRUE, text, yes=yes, shared=premises)


def drop(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Convert DROP: columns `passage`, `question`, `answer`, and the validators' answers.

    A model later turns each question for a number into one of four yes/no questions.
    """
    for record in read_jsonl(paths):
        question = " ".join(get_cell(record, "question", str).split())
        value = _find_agreed_number(record)
        if value is None or not question.lower().startswith("how many ") or question[-1] != "?":
            continue
        passage = get_cell(record, "passage", str).strip()
        digest = content_hash(question, passage, value)
        style, answer = _NUMBER_FORMS[int(digest, 16) % len(_NUMBER_FORMS)]
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


def _find_agreed_number(record: RawRecord) -> int | float | None:
    """Return the number that all annotators gave as the answer; None if there is none."""
    gold = _parse_number(get_cell(record, "answer", dict).get("number"))
    others = get_cell(record, "validated_answers", dict).get("number") or []
    return gold if all(_parse_number(other) == gold for other in others) else None


def _parse_number(text: object) -> int | float | None:
    """Return the number in a cell; None if the answer is a date or a span."""
    try:
        number = float(text) if isinstance(text, str) else math.nan
    except ValueError:
        return None
    if not math.isfinite(number) or number < 0:
        return None
    return int(number) if number.is_integer() else number


def mqm(source: str, paths: Sequence[Path], min_ratings: int) -> Iterator[Candidate]:
    """Convert machine translations in which raters marked errors.

    Any error makes the answer Yes. A file has one row for each mark of a rater in a translated
    segment, or one row that says that the segment has no error. `<v>...</v>` encloses marked words.

    Args:
        source: Name of the data set.
        paths: Its TSV files.
        min_ratings: Ratings that a translation needs; all its ratings must agree.
    """
    for (sentence, translation), verdicts in _collect_verdicts(_read_marks(source, paths)).items():
        error = verdicts[0]
        if len(verdicts) >= min_ratings and len(set(verdicts)) == 1 and error is not None:
            text = f"Source (English): {sentence}\nTranslation (German): {translation}"
            yield build_candidate(source, "translation", ERROR, text, yes=error, shared=sentence)


def _read_marks(source: str, paths: Sequence[Path]) -> Iterator[Row]:
    """Yield the raters' marks in machine translations."""
    for path in paths:
        with path.open(encoding="utf-8", newline="") as lines:
            for record in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                row = {column: get_cell(record, column, str) for column in _COLUMNS}
                if not _HUMAN.match(row["system"]):
                    yield row


def _collect_verdicts(rows: Iterable[Row]) -> Mapping[tuple[str, str], Sequence[bool | None]]:
    """Return the verdict of each rating, by source sentence and translation.

    Segments whose raters saw different texts are excluded.
    """
    ratings: dict[tuple[str, ...], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        ratings[row["system"], row["doc"], row["seg_id"]][row["rater"]].append(row)
    verdicts: dict[tuple[str, str], list[bool | None]] = defaultdict(list)
    for by_rater in ratings.values():
        marks = [row for rating in by_rater.values() for row in rating]
        pairs = {(_remove_marks(row["source"]), _remove_marks(row["target"])) for row in marks}
        if len(pairs) == 1:
            verdicts[pairs.pop()] += [_parse_rating(rating) for rating in by_rater.values()]
    return verdicts


def _parse_rating(rating: Iterable[Row]) -> bool | None:
    """Return whether a rating marks an error; None if its marks do not decide that."""
    kinds = {(row["category"].lower(), row["severity"].lower()) for row in rating}
    marked = {category for category, severity in kinds if severity in ("minor", "major")}
    if any(not category.startswith(_NO_ERRORS) for category in marked):
        return True
    return False if all(category == "no-error" for category, _ in kinds) else None


def _remove_marks(text: str) -> str:
    """Return the text without marks, and without blanks that would reveal where they were.

    A cell that is quoted as a whole has its quotation marks doubled.
    """
    inner = text[1:-1]
    if text[:1] == text[-1:] == '"' and '""' in inner and '"' not in inner.replace('""', ""):
        text = inner.replace('""', '"')
    return " ".join(_MARKUP.sub("", text).split())


CONVERTERS: Mapping[str, Callable[[Sequence[Path]], Iterator[Candidate]]] = {
    "boolq": boolq,
    "hotpotqa": hotpotqa,
    "drop": drop,
    "wmt2020_ende": partial(mqm, "wmt2020_ende", min_ratings=2),  # three raters each
    "ethics_commonsense": ethics_commonsense,
    "ethics_justice": ethics_justice,
    "hotpotqa_formateval": hotpotqa_formateval,
    "wmt_ted_ende": partial(mqm, "wmt_ted_ende", min_ratings=1),  # TED talks, one rater each
    "bbh_sports": bbh_sports,
    "bbh_boolean": bbh_boolean,
    "folio_binary": folio_binary,
}
