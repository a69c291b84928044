"""How `read_answer` reads answers whose meaning is known, by form and source.

    python benchmarks/reading.py

Writes the two tables of docs/reading.md: recorded answers of real models, and answers that were
made up for the tests.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.bias_tasks.reading.test_made_up import FORMS, counted, styles, written_blind  # noqa: E402
from tests.bias_tasks.reading.test_recorded import ROWS, said  # noqa: E402

PAGE = ROOT / "docs" / "reading.md"
HEAD = "| {} | {} | answers | right | unread | wrong |\n| --- | --- | ---: | ---: | ---: | ---: |"


def row(first: str, second: str, counts: Counter[str]) -> str:
    shares = (f"{100 * counts[each] / counts.total():.1f} %" for each in ("right", "unread"))
    return f"| {first} | {second} | {counts.total():,} | {' | '.join(shares)} | {counts['wrong']} |"


def recorded() -> str:
    """The table of recorded answers."""
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for answer in ROWS:
        read, gold = said(answer), answer["gold"]
        verdict = "right" if read == gold else "unread" if read is None else "wrong"
        found[answer["form"], answer["source"]][verdict] += 1
    rows = (row(*key, counts) for key, counts in sorted(found.items()))
    return "\n".join((HEAD.format("form", "source"), *rows))


def made_up() -> str:
    """The table of answers that were made up."""
    rows = [row(form, "ways of chat models", counts) for form, counts in styles().items()]
    for name, kind in (("sets", "several or none"), ("blind", "several or none, later")):
        rows.append(row("choice", kind, written_blind(name)))
    for name, form in FORMS.items():
        for part in ("realistic", "adversarial"):
            total, sets = Counter[str](), Counter[str]()
            for which in ("mended", "fresh"):
                counts, several = counted(f"{name}_{which}", form, part)
                total += counts
                sets += several
            rows.append(row(name, part, total))
            if sets:
                rows.append(row(name, f"{part}: several options or none", sets))
    return "\n".join((HEAD.format("made up", "kind"), *rows))


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, table in (("recorded", recorded()), ("made-up", made_up())):
        block = f"<!-- {name} -->\n{table}\n<!-- end -->"
        text = re.sub(rf"<!-- {name} -->\n.*?<!-- end -->", lambda _, b=block: b, text, flags=re.S)
        print(table)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
