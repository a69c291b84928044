"""The rows of JSONL, CSV and Parquet files, as these hold them."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bias_tasks.data.files import MAX_BYTES, RawRecord, decode_utf8, parse_json

_REST = ""
"""The key of a CSV row's cells beyond the header."""
RawRows = Iterable[RawRecord | ValueError]
"""The rows of a file; an error in the place of a row that cannot be read."""


def _parse_jsonl(content: bytes) -> Iterator[RawRecord | ValueError]:
    """Yield one object per line; pandas would turn whole numbers near empty cells into floats."""
    for line in filter(str.strip, decode_utf8(content).split("\n")):
        try:
            row = parse_json(line)
        except ValueError as error:
            yield ValueError(f"expected one JSON object, but {error}")
            continue
        is_object = isinstance(row, dict)
        yield (
            row if is_object else ValueError(f"expected a JSON object, found {type(row).__name__}")
        )


def _parse_csv(content: bytes) -> Iterator[RawRecord | ValueError]:
    """Yield the rows; the header, or a first line such as `sep=;`, decides the separator."""
    text = decode_utf8(content)
    declaration = re.match(r"sep=([,;\t])\r?\n", text, re.IGNORECASE)
    if declaration:
        separator, text = declaration[1], text[declaration.end() :]
    else:  # The most frequent one in the header; a comma if several are.
        separator = max(",;\t", key=text.partition("\n")[0].count)
    csv.field_size_limit(MAX_BYTES)
    stream = io.StringIO(text, newline="")
    rows = csv.DictReader(stream, delimiter=separator, strict=True, restkey=_REST)
    try:
        header = [name.strip() for name in rows.fieldnames or ()]
        duplicates = [name for name, count in Counter(header).items() if count > 1 and name]
        if duplicates:
            raise ValueError(f"the column {duplicates[0]} occurs more than once")
        rows.fieldnames = [name or f"column {n}" for n, name in enumerate(header, start=1)]
        for row in rows:
            further = row.pop(_REST, [])
            if any(further):
                n_cells = len(header) + len(further)
                yield ValueError(f"it has {n_cells} cells, the header has {len(header)}")
            else:
                yield row
    except csv.Error as error:
        raise ValueError(f"not a readable CSV file (line {rows.line_num}: {error})") from error


def _parse_parquet(content: bytes) -> Iterator[RawRecord]:
    """Yield the rows; decimal numbers, dates and bytes are not converted."""
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    try:
        metadata = pyarrow.parquet.read_metadata(io.BytesIO(content))
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        columns = [(n, metadata.schema.column(n)) for n in range(metadata.num_columns)]
        sizes = [g.column(n).num_values * max(c.length, 4) for g in groups for n, c in columns]
        n_bytes = max(sum(sizes), sum(group.total_byte_size for group in groups))
        # A text that is repeated is in the file once, and in a batch of dictionaries, too.
        texts = [column.path for _, column in columns if column.physical_type == "BYTE_ARRAY"]
        file = pyarrow.parquet.ParquetFile(io.BytesIO(content), read_dictionary=texts)
        if n_bytes <= MAX_BYTES:
            n_bytes = sum(_count_text_bytes(a) for batch in file.iter_batches() for a in batch)
        if n_bytes > MAX_BYTES:
            raise ValueError(f"its rows have more than {MAX_BYTES:,} bytes: split it")
        for batch in file.iter_batches(batch_size=1000):
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"not a readable Parquet file ({reason})") from error


def _count_text_bytes(array: Any) -> int:
    """Return the bytes of the texts in an Arrow array, each as often as it occurs."""
    from pyarrow import compute, types

    if types.is_dictionary(array.type):
        return compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0
    if types.is_struct(array.type):
        return sum(map(_count_text_bytes, array.flatten()))
    return _count_text_bytes(array.flatten()) if types.is_nested(array.type) else 0


READERS: Mapping[str, Callable[[bytes], RawRows]] = {
    ".jsonl": _parse_jsonl,
    ".csv": _parse_csv,
    ".parquet": _parse_parquet,
}
"""What returns the rows in the content of a file, by its ending."""
FILE_ENDINGS = tuple(READERS)
