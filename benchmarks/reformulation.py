"""Share of real questions that the grammar rewords without a model, and every rewording.

    python benchmarks/reformulation.py FOLDER [--quiet]

FOLDER is laid out as the data cache. The questions: HotpotQA's yes/no questions (FormatEval's 200),
boolean expressions up to 100 questions together, and sports understanding's sentences.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from pathlib import Path

from bias_tasks.binary_qa.items import REFORMULATIONS
from bias_tasks.binary_qa.reformulation.checks import check
from bias_tasks.binary_qa.reformulation.grammar import reformulate_all

FORMAT_EVAL = "WING-NUS/FormatEval/*/EvalData/generation_hotpotqa_validation_200.csv"
BIG_BENCH_HARD = "suzgunmirac/BIG-Bench-Hard/*/bbh"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quiet", action="store_true", help="print the shares only")
    arguments = parser.parse_args()
    for source, questions in sources(arguments.folder).items():
        report(source, questions, quiet=arguments.quiet)


def sources(folder: Path) -> dict[str, list[str]]:
    """Questions by source."""
    hotpot = list(hotpot_questions(folder))
    expressions = [
        f'Is the expression "{text.removesuffix(" is")}" true?'
        for text in inputs(folder, "boolean_expressions")
    ]
    return {
        "HotpotQA": hotpot,
        "boolean expressions": expressions[: 100 - len(hotpot)],
        "sports": inputs(folder, "sports_understanding"),
    }


def hotpot_questions(folder: Path) -> Iterator[str]:
    """The questions that are answered by yes or no."""
    csv.field_size_limit(2**30)
    with only(folder, FORMAT_EVAL).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["answer"] in ("yes", "no"):
                yield row["question"]


def inputs(folder: Path, task: str) -> list[str]:
    """The inputs of a task of BIG-Bench Hard."""
    text = only(folder, f"{BIG_BENCH_HARD}/{task}.json").read_text(encoding="utf-8")
    return [example["input"] for example in json.loads(text)["examples"]]


def only(folder: Path, pattern: str) -> Path:
    """The one file that a pattern names.

    Raises:
        FileNotFoundError: there is none.
    """
    found = sorted(folder.glob(pattern))
    if not found:
        raise FileNotFoundError(f"{folder} has no {pattern}")
    return found[0]


def report(source: str, questions: list[str], *, quiet: bool) -> None:
    """Prints the shares of one source, and each rewording with what speaks against it."""
    made = [reformulate_all(question) for question in questions]
    whole = sum(not rewordings.missing() for rewordings in made)
    print(f"{source}: {whole} of {len(questions)} in all four kinds")
    for kind in REFORMULATIONS:
        print(f"  {kind}: {sum(kind not in rewordings.missing() for rewordings in made)}")
    for question, rewordings in zip(questions, made, strict=True):
        if quiet:
            break
        print(question)
        for kind in REFORMULATIONS:
            text = getattr(rewordings, kind)
            refused = None if text is None else check(question, kind, text)
            print(f"    {kind}: {text}{'' if refused is None else f'  REFUSED: {refused}'}")


if __name__ == "__main__":
    main()
