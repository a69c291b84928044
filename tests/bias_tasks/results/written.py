"""Records of Every Eval Ever as they are written, and read back."""

import json

from click.testing import CliRunner

from bias_tasks.cli import main


def export(*arguments):
    return CliRunner().invoke(main, ["export", "eee", *map(str, arguments)])


def strict(text):
    """JSON as others read it: without NaN and infinities."""

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def records(folder):
    """Each record with the rows beside it; the rows are None where it names none."""
    found = []
    for path in sorted(folder.rglob("*.json")):
        record = strict(path.read_text(encoding="utf-8"))
        named = record.get("detailed_evaluation_results")
        rows = None
        if named is not None:
            lines = (folder / named["file_path"]).read_text(encoding="utf-8").splitlines()
            rows = [strict(line) for line in lines]
        found.append((record, rows))
    return found


def of_record(runs, record):
    return runs[record["source_metadata"]["additional_details"]["digest"]]
