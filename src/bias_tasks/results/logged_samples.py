"""What stands in the samples of an Inspect log, without the transcripts that figures don't need.

Transcripts are most of a log, and checking them against Inspect's models most of the time that its
own reader takes. A log in its usual form is a zip file with a JSON file a sample; from these the
transcripts are left out before the rest becomes Inspect's `EvalSample`, which is six times as fast.
Whatever has another form is read by Inspect alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import ZipFile, is_zipfile

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

T = TypeVar("T")
_NOT_NEEDED = frozenset({"messages", "events", "events_data", "store", "attachments", "timelines"})
_FOLDER = "samples/"
_WHOLE_SAMPLE = re.compile(r"_epoch_\d+\.json$")
_DIGITS = 20
"""To which Inspect fills up ids that are numbers, where it sorts them among texts."""


def of_samples(path: Path, take: Callable[[EvalSample], T]) -> list[T]:
    """What `take` makes of each sample, in the order of `each_sample`."""
    return [take(sample) for sample in each_sample(path)]


def each_sample(path: Path) -> Iterator[EvalSample]:
    """Each sample, by epoch and id as Inspect's own reader has them.

    Only one sample is held at a time, and of all of them their names. It lacks messages, events
    and what belongs to these.
    """
    # Half a second of imports, not needed for the harness's outputs; it also teaches `zipfile`
    # the compression of the logs.
    from inspect_ai.log import read_eval_log

    names = _names(path)
    if names is None:
        yield from sorted(read_eval_log(str(path)).samples or (), key=_place)
    else:
        yield from _read(path, names)


def _names(path: Path) -> tuple[str, ...] | None:
    """The files of a log's samples; None where the log has another form."""
    if not is_zipfile(path):
        return None
    with ZipFile(path) as log:
        # A sample that was asked again stands there twice, and its name stands for the later one.
        inside = tuple(dict.fromkeys(each for each in log.namelist() if each.startswith(_FOLDER)))
    return inside if all(map(_WHOLE_SAMPLE.search, inside)) else None


def _read(path: Path, names: Iterable[str]) -> Iterator[EvalSample]:
    from inspect_ai.log import EvalSample

    with ZipFile(path) as log:
        for name in _ordered(log, names):
            yield EvalSample.model_validate(
                {
                    part: value
                    for part, value in _logged(log, name).items()
                    if part not in _NOT_NEEDED
                }
            )


def _ordered(log: ZipFile, names: Iterable[str]) -> list[str]:
    """The samples' files in the order of their samples, which follows from their names.

    A name does not say whether an id is a number; the ids of a log are all of one kind.
    """
    found = sorted(names, key=_named_place)
    digits = next((name for name in found if _named_place(name)[1].isdecimal()), None)
    if digits is None or isinstance(_logged(log, digits)["id"], str):
        return found

    def place(name: str) -> tuple[int, str]:
        epoch, own = _named_place(name)
        return epoch, own.zfill(_DIGITS)

    return sorted(found, key=place)


def _logged(log: ZipFile, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(log.read(name))
    return found


def _named_place(name: str) -> tuple[int, str]:
    own, _, epoch = name.removeprefix(_FOLDER).removesuffix(".json").rpartition("_epoch_")
    return int(epoch), own


def _place(sample: EvalSample) -> tuple[int, str]:
    name = sample.id if isinstance(sample.id, str) else str(sample.id).zfill(_DIGITS)
    return sample.epoch, name
