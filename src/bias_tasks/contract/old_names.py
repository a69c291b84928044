"""Reads logs of earlier versions: replaces the names that they hold (`old_names.yaml`)."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.data.files import RawRecord, read_yaml

_OLD_FACTS = "facts"
"""Where logs before 0.17 have a question's scoring data as JSON, besides what metadata shows."""
_OLD_RECORD = {"changed": "task_args", "figures": "metrics", "figures_of": "metrics_of"}
_OLD_METADATA = {"place": "position"}
_OLD_OUTCOME = {"own": "extra", "why": "explanation"}
_KEPT = frozenset({"columns", "answer"})
"""Fields whose contents have names from a user's data."""


def current_family(name: str) -> str:
    """Return today's name of a family."""
    return str(read_names()["families"].get(name, name))


def current_metric(family: str, name: str) -> str:
    """Return today's name of a metric.

    Args:
        family: Today's name of the family.
        name: The metric's printed name, such as `vanilla/flips/lost` or `gain@theta=0.5/rubric`.
    """
    table = _table(family, "metrics")
    parts = [part.partition("@") for part in name.split("/")]
    start, renamed = 0, []
    while start < len(parts):
        for length in (2, 1):
            key = "/".join(part[0] for part in parts[start : start + length])
            if key in table and start + length <= len(parts):
                renamed.append(table[key] + "".join(parts[start + length - 1][1:]))
                break
        else:
            length = 1
            renamed.append("".join(parts[start]))
        start += length
    return "/".join(renamed)


def current_metrics(family: str, metrics: RawRecord) -> JsonObject:
    """Return values by today's names of their metrics."""
    return {current_metric(family, name): value for name, value in metrics.items()}


def current_record(record: RawRecord) -> JsonObject:
    """Return the record of a run with today's names."""
    renamed = {_OLD_RECORD.get(name, name): value for name, value in record.items()}
    if not isinstance(renamed.get("family"), str):
        return renamed
    family = renamed["family"] = current_family(renamed["family"])
    for name in ("parameters", "task_args"):
        if isinstance(renamed.get(name), Mapping):
            renamed[name] = _current_parameters(family, renamed[name])
    if isinstance(renamed.get("metrics"), Mapping):
        renamed["metrics"] = current_metrics(family, renamed["metrics"])
    return renamed


def current_outcome(family: str, values: RawRecord) -> JsonObject:
    """Return the fields of an outcome with today's names.

    Args:
        family: Today's name of the family.
        values: The logged fields. Versions before 0.16 have no level and no reason for being
            unparsed.
    """
    if not any(name in values for name in _OLD_OUTCOME):
        return dict(values)
    renamed = {"level": None, "unparsed_reason": None, **values}
    for old, new in _OLD_OUTCOME.items():
        if old in renamed:
            renamed[new] = renamed.pop(old)
    renamed["variant"] = _current_variant(family, renamed["variant"])
    extra = _renamed_keys(renamed["extra"], _table(family, "extra"))
    for name, values_by_old in _table(family, "extra_values").items():
        if isinstance(extra.get(name), str):
            extra[name] = values_by_old.get(extra[name], extra[name])
    renamed["extra"] = extra
    return renamed


def current_sample_metadata(family: str, metadata: RawRecord) -> JsonObject:
    """Return a sample's metadata, or the scoring data of a document, with today's names.

    Args:
        family: Today's name of the family.
        metadata: As logged. Before 0.17 the scoring data is one JSON text under `facts`.
    """
    values = {_OLD_METADATA.get(name, name): value for name, value in metadata.items()}
    is_old = isinstance(values.get(_OLD_FACTS), str)
    if is_old:
        values |= json.loads(values.pop(_OLD_FACTS))
    for name in read_names().get(family, {}).get("nested", ()):
        if isinstance(values.get(name), Mapping):
            is_old = True
            values |= values.pop(name)
    if not is_old:
        return values
    if "variant" in values:
        values["variant"] = _current_variant(family, values["variant"])
    renamed: JsonObject = _renamed_keys(values, _table(family, "scoring_data"))
    if isinstance(values.get("gold"), int):  # position of a wrong step, or number of flaws
        renamed["gold"] = str(values["gold"])
    return renamed


@cache
def read_names() -> JsonObject:
    """Return the table of old names."""
    names: JsonObject = read_yaml(__package__, "old_names")
    return names


@cache
def _table(family: str, kind: str) -> JsonObject:
    names = read_names()
    return {**names["common"].get(kind, {}), **names.get(family, {}).get(kind, {})}


def _current_parameters(family: str, parameters: RawRecord) -> JsonObject:
    renamed = {}
    for old, value in parameters.items():
        name = _table(family, "parameters").get(old, old)
        values = _table(family, "values").get(name, {})
        renamed[name] = values.get(value, value) if isinstance(value, str) else value
    return renamed


def _current_variant(family: str, variant: str) -> str:
    first, slash, rest = variant.partition("/")
    return f"{_table(family, 'variants').get(first, first)}{slash}{rest}"


def _renamed_keys(value: object, table: Mapping[str, str]) -> Any:
    """Return plain JSON values with other names in objects at any depth."""
    if isinstance(value, list):
        return [_renamed_keys(part, table) for part in value]
    if not isinstance(value, Mapping):
        return value
    return {
        table.get(name, name): part if name in _KEPT else _renamed_keys(part, table)
        for name, part in value.items()
    }
