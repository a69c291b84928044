"""A small layout to read files by, and the files."""

import io

import pyarrow.parquet

from bias_tasks.data.tables import Layout, one_id, read_rows

LAYOUT = Layout(
    columns=("id", "question", "answer", "options"),
    json_columns=("options",),
    whole_columns=("answer",),
)


def read(path, layout=LAYOUT):
    """The rows as (known cells, further cells)."""

    def convert(cells, further):
        if "question" not in cells:
            raise ValueError("column question: expected a value, found nothing")
        return dict(cells), dict(further)

    def claims(row):
        return [one_id(row[0]["id"])] if "id" in row[0] else []

    return read_rows(path, layout, convert, claims)[0]


def packed(table, **options):
    """The bytes of a Parquet file."""
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream, **options)
    return stream.getvalue()


def write_parquet(path, columns, **options):
    """Writes columns by their names."""
    path.write_bytes(packed(pyarrow.table(columns), **options))
    return path
