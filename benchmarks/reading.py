"""How `read_answer` reads answers whose meaning is known, by form and source.

    python benchmarks/reading.py

Prints the two tables of docs/reading.md: recorded answers of real models, and answers that were
made up for the tests, which nothing is tuned to.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.bias_tasks.reading.test_made_up import FORMS, counted  # noqa: E402
from tests.bias_tasks.reading.test_recorded import ROWS, said  # noqa: E402

HEAD = "| {} | {} | answers | right | unread | wrong |\n| --- | --- | ---: | ---: | ---: | ---: |"


def row(first: str, second: str, counts: Counter[str]) -> str:
    shares = (f"{100 * counts[each] / counts.total():.1f} %" for each in ("right", "unread"))
    return f"| {first} | {second} | {counts.total():,} | {' | '.join(shares)} | {counts['wrong']} |"


def main() -> None:
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for answer in ROWS:
        read, gold = said(answer), answer["gold"]
        verdict = "right" if read == gold else "unread" if read is None else "wrong"
        found[answer["form"], answer["source"]][verdict] += 1
    print(HEAD.format("form", "source"))
    for (form, source), counts in sorted(found.items()):
        print(row(form, source, counts))
    print(f"\n{HEAD.format('made up', 'kind')}")
    for name, form in FORMS.items():
        for part in ("realistic", "adversarial"):
            total, sets = Counter[str](), Counter[str]()
            for which in ("mended", "fresh"):
                counts, several = counted(f"{name}_{which}", form, part)
                total += counts
                sets += several
            print(row(name, part, total))
            if sets:
                print(row(name, f"{part}: several options or none", sets))


if __name__ == "__main__":
    main()
