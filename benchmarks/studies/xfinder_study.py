"""Measure `parse_answer` on the outputs that xFinder's authors annotated, the KAF dataset.

    python -m benchmarks.studies.xfinder_study PATH [PATH ...]

A PATH is a KAF file, JSON or JSON Lines; its `gold_label` is the key answer that people annotated.
xFinder (Yu et al., 2024, arXiv 2405.11874) reports an average accuracy of 74 % for the best regular
expressions and of 93 % for its smallest trained extractor, in its generalization tests. These
averages include short texts and mathematics, which the runner skips and counts.
"""

import ast
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import click

from bias_tasks.parsing import parse_answer

Row = Mapping[str, Any]
Request = tuple[Mapping[str, Any], Mapping[Any, str]]
"""Arguments of `parse_answer`, and the label of the answer range that a parsed value stands for."""
ALPHABET, CATEGORICAL = "alphabet option", "categorical label"
GOLD_FIELD = "gold_label"
"""The annotation. `xFinder_output` is a prediction, `correct_answer` answers the question."""
NO_VALID_ANSWER = "[no valid answer]"
UNKNOWN_LABELS = {"unknown", "uncertain", "undetermined", "neither"}
"""Third labels beside true and false that mean Unknown."""
MAX_RANGE_CHARS = 20_000
"""Longest string that is parsed as an answer range, since a literal may exhaust the memory."""
OUTCOMES = ("right", "unparsed", "wrong")
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=FILE)
def main(paths: tuple[Path, ...]) -> None:
    """Print one table per file."""
    for path in paths:
        try:
            counts, skipped = count_outcomes(read_rows(path))
        except (ValueError, RecursionError, OSError) as error:
            # A value that the message quotes may contain line breaks.
            raise click.ClickException(" ".join(f"{path}: {error}".split())) from error
        types = ", ".join(f"{n} {name}" for name, n in sorted(skipped.items()))
        click.echo(f"{path.name}\n\n{format_table(counts)}\n\nSkipped: {types or 'none'}\n")


def read_rows(path: Path) -> list[Row]:
    """Read a KAF file.

    Args:
        path: A JSON file with a list of rows, or a JSON Lines file.

    Returns:
        The rows, as they are in the file.

    Raises:
        ValueError: The file is not UTF-8 or not JSON.
    """
    text = path.read_text(encoding="utf-8-sig")
    is_list = text.lstrip().startswith("[")
    rows: list[Row] = json.loads(text) if is_list else []
    for number, line in enumerate([] if is_list else text.split("\n"), start=1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except ValueError as error:
            raise ValueError(f"line {number} is not JSON: {error}") from error
    return rows


def count_outcomes(rows: Sequence[Row]) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """Count the outcomes of the rows.

    Args:
        rows: Rows of a KAF file.

    Returns:
        A count of `OUTCOMES` by answer type, and the number of skipped rows by answer type.

    Raises:
        ValueError: There are no rows, or a row lacks a field or has a malformed answer range.
    """
    if not rows:
        raise ValueError("no rows")
    counts: dict[str, Counter[str]] = {ALPHABET: Counter(), CATEGORICAL: Counter()}
    skipped = Counter[str]()
    for number, row in enumerate(rows, start=1):
        try:
            # The dataset writes the types with a blank, xFinder's own examples with an underscore.
            answer_type = _field(row, "key_answer_type").replace("_", " ")
            if answer_type in counts:
                counts[answer_type][outcome_of(row, answer_type)] += 1
            else:
                skipped[answer_type] += 1
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from error
    return counts, skipped


def outcome_of(row: Row, answer_type: str) -> str:
    """Parse the output of a row and compare the key answer with the annotated one.

    An output that names several options, or none of them, has no key answer in xFinder's sense.

    Args:
        row: A row of a KAF file.
        answer_type: `ALPHABET` or `CATEGORICAL`.

    Returns:
        One of `OUTCOMES`; `unparsed` if only the annotation has a key answer.

    Raises:
        ValueError: The row lacks a field or has a malformed answer range.
    """
    items = parse_range(row.get("standard_answer_range"))
    request = alphabet_request if answer_type == ALPHABET else categorical_request
    arguments, labels = request(items)
    # The question has its options on one line, where `parse_answer` does not recognize them: an
    # output that repeats the text of its option would count as an echo of the prompt.
    prompt = _field(row, "question").partition("Answer Choices:")[0]
    parsed = parse_answer(_field(row, "llm_output"), prompt=prompt, **arguments)
    answer = labels.get(parsed.value, NO_VALID_ANSWER)
    if answer == _normalized(_field(row, GOLD_FIELD)):
        return "right"
    return "unparsed" if answer == NO_VALID_ANSWER else "wrong"


def parse_range(answer_range: Any) -> list[Any]:
    """Parse an answer range.

    Args:
        answer_range: A list, or a string that contains one as JSON or as a Python literal.

    Returns:
        The list, which is not empty.

    Raises:
        ValueError: It is not such a list, or the string is too long.
    """
    items = None if isinstance(answer_range, str) else answer_range
    if isinstance(answer_range, str) and len(answer_range) <= MAX_RANGE_CHARS:
        for parse in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                items = items or parse(answer_range)
    if not isinstance(items, list) or not items:
        raise ValueError(f"standard_answer_range is no list or too long: {answer_range!r:.80}")
    return items


def alphabet_request(items: Sequence[Any]) -> Request:
    """Build the request of a row whose options have letters.

    Args:
        items: Pairs of letter and text in any order, since KAF shuffles them.

    Returns:
        A choice among texts in the order of their letters; a missing letter has an empty text.

    Raises:
        ValueError: An item is not a pair of a letter and a text, or a letter occurs twice.
    """
    pairs = [item for item in items if isinstance(item, list | tuple) and len(item) == 2]
    texts = {str(letter).strip(): str(text) for letter, text in pairs}
    if len(texts) < len(items) or not texts.keys() <= {*ascii_uppercase}:
        raise ValueError(f"expected pairs of letter and text: {items!r:.80}")
    letters = ascii_uppercase[: ascii_uppercase.index(max(texts)) + 1]
    options = [texts.get(letter, "") for letter in letters]
    arguments = {"form": "choice", "option_labels": "letters", "options": options}
    return arguments, {(n,): letter.casefold() for n, letter in enumerate(letters)}


def categorical_request(items: Sequence[Any]) -> Request:
    """Build the request of a row whose answer is a label.

    Args:
        items: The labels.

    Returns:
        Yes or no, a judgement, or for other labels a choice among them.
    """
    labels = [_normalized(str(item)) for item in items]
    others = {*labels} - {"true", "false"}
    if {*labels} == {"yes", "no"}:
        return {"form": "yes_no"}, {"Yes": "yes", "No": "no"}
    if {"true", "false"} <= {*labels} and others <= UNKNOWN_LABELS and len(others) <= 1:
        words = {"Unknown" if name in others else name.capitalize(): name for name in labels}
        return {"form": "judging", "allowed_labels": [*words]}, words
    # A label that is a number would be confused with the number of an option.
    marks = "letters" if any(label.isdigit() for label in labels) else "numbers"
    arguments = {"form": "choice", "option_labels": marks, "options": [*map(str, items)]}
    return arguments, {(n,): label for n, label in enumerate(labels)}


def format_table(counts: Mapping[str, Counter[str]]) -> str:
    """Format counts as a Markdown table.

    Args:
        counts: A count of `OUTCOMES` by answer type.

    Returns:
        One line per type and one for both; the accuracy is the share of right rows.
    """
    lines = ["| type | rows | right | unparsed | wrong | accuracy |", "| --- |" + " ---: |" * 5]
    for name, count in {**counts, "both": sum(counts.values(), Counter[str]())}.items():
        accuracy = f"{count['right'] / count.total():.1%}" if count else "-"
        cells = [name, count.total(), *(count[outcome] for outcome in OUTCOMES), accuracy]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _field(row: Row, name: str) -> str:
    """Return a text of a row.

    Args:
        row: A row of a KAF file.
        name: Name of the field.

    Returns:
        The text.

    Raises:
        ValueError: The row is not an object, or the field is missing or not a string.
    """
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, str):
        raise ValueError(f"no string {name!r} in {[*row] if isinstance(row, dict) else row!r:.200}")
    return value


def _normalized(label: str) -> str:
    """Return a label without case, blanks and full stop at its end, as xFinder compares labels."""
    return label.strip().rstrip(".").casefold()


if __name__ == "__main__":
    main()
