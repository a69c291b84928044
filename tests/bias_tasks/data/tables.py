"""Rows written to files of every type that users may have."""

import csv
import json

import pyarrow
import pyarrow.parquet

KINDS = ("jsonl", "csv", "parquet")


def write_table(path, rows):
    """Write rows to a file by its ending: lists and objects are JSON in CSV files."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    if path.suffix == ".parquet":
        complete = [{name: row.get(name) for name in names} for row in rows]
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(complete), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            for row in rows:
                is_nested = {name for name, cell in row.items() if isinstance(cell, list | dict)}
                cells = {n: json.dumps(c) if n in is_nested else c for n, c in row.items()}
                writer.writerow(cells)
    return path
