"""Which of a package's registered tasks can be probed, and why the others can't, without a network.

    python -m benchmarks.studies.probeable_tasks [package]

The package is inspect_evals by default and must be installed.

A task is made with its real solvers and scorers, and a sample that stands for its data, which can't
be had offline: what its prompts print is only seen in a run. Where making it needs more than that,
its source is searched for what would keep probes out.
"""

from __future__ import annotations

import inspect
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from itertools import count
from typing import Any

from inspect_ai._util.registry import registry_find, registry_info, registry_lookup
from inspect_ai.dataset import MemoryDataset, Sample

from bias_tasks.tasks._probed_task import load_probed_task

LOADERS = (
    "hf_dataset",
    "json_dataset",
    "csv_dataset",
    "load_json_dataset",
    "load_csv_dataset",
)
"""What samples are read by in such packages, by its name in their modules."""
_SECONDS = 5
"""For making one task."""
_AGENTS = re.compile(
    r"\b(basic_agent|react|as_solver|human_cli|human_agent|sandbox_agent_bridge|agent_bridge|bridge|"
    r"get_model\(\)\.generate|model\.generate|execute_tools)\b"
)
_BY_ITSELF = re.compile(r"\w\.generate\(|\bexecute_tools\(")
"""What the source of a solver has that asks otherwise than by its `generate`."""
_IDS = count()
_YES, _NO, _UNKNOWN = "yes", "no", "not known"


class _OfflineError(OSError):
    """A connection was asked for."""


class _TooLongError(BaseException):
    """Making a task took too long; no handler of errors in its way takes it for one."""


def stand_in(*_: Any, **__: Any) -> MemoryDataset:
    """One sample in place of whatever a loader would read."""
    name, choices = f"{next(_IDS)}", ["this", "that"]
    sample = Sample(id=name, input="Which?", choices=choices, target="A", metadata={})
    return MemoryDataset([sample], name="stand-in")


def verdict(name: str) -> tuple[str, str]:
    """Whether a task can be probed, and why not or by what that is known."""
    factory: Any = registry_lookup("task", name)
    try:
        with _limited(), _without_data(factory), redirect_stdout(StringIO()):
            found = load_probed_task(name, {})
    except _TooLongError:
        return _by_source(factory, f"made for longer than {_SECONDS} s")
    except ValueError as error:
        told = str(error)
        if "cannot be loaded" not in told:
            return _NO, told.removeprefix(f"{name} cannot be probed: ")
        return _by_source(factory, told.partition("cannot be loaded: ")[2])
    asking = [each for each in found.solvers if _BY_ITSELF.search(_source(each))]
    if asking:
        names = ", ".join(str(getattr(each, "__qualname__", each)) for each in asking)
        return _UNKNOWN, f"{names} asks a model by itself: an error where it is the one evaluated"
    return _YES, "; ".join(found.notes)


def _source(solver: Any) -> str:
    try:
        return inspect.getsource(solver)
    except (OSError, TypeError):  # of a solver that is no function of a file
        return ""


def _by_source(factory: Any, why: str) -> tuple[str, str]:
    """What the source of the task's module says, where the task can't be made."""
    source = inspect.getsource(sys.modules[inspect.unwrap(factory).__module__])
    agents = sorted(set(_AGENTS.findall(source)))
    if agents:
        return _NO, f"its source has {', '.join(agents)}; it can't be made here ({why})"
    return _UNKNOWN, f"its data can't be had offline ({why})"


@contextmanager
def _without_data(factory: Any) -> Iterator[None]:
    """Stand-ins for the loaders in the modules of the task's package."""
    package = inspect.unwrap(factory).__module__.partition(".")[0]
    modules = [m for n, m in list(sys.modules.items()) if n.partition(".")[0] == package]
    places = [(m, n, getattr(m, n)) for m in modules for n in LOADERS if hasattr(m, n)]
    for module, loader, _ in places:
        setattr(module, loader, stand_in)
    try:
        yield
    finally:
        for module, loader, own in places:
            setattr(module, loader, own)


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _offline() -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise _OfflineError("offline")

    blocked: Callable[..., None] = refuse
    socket.socket.connect = blocked  # type: ignore[method-assign]
    socket.getaddrinfo = blocked  # type: ignore[assignment]
    subprocess.Popen.__init__ = blocked  # type: ignore[method-assign]
    time.sleep = blocked  # before another attempt to connect


def main() -> None:
    """Print a line for each task, and how many there are of each verdict."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    package = sys.argv[1] if sys.argv[1:] else "inspect_evals"
    _offline()
    logging.disable(logging.CRITICAL)
    registry_lookup("task", f"{package}/")
    names = sorted(
        registry_info(each).name
        for each in registry_find(lambda info: info.type == "task")
        if registry_info(each).name.startswith(f"{package}/")
    )
    if not names:
        raise SystemExit(f"{package} brings no tasks of Inspect: is it installed?")
    counted: Counter[str] = Counter()
    for name in names:
        found, why = verdict(name)
        counted[found] += 1
        print(f"{name}\t{found}\t{why}", flush=True)
    print(", ".join(f"{each}: {count}" for each, count in counted.most_common()), file=sys.stderr)


if __name__ == "__main__":
    main()
