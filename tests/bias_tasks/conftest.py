"""How properties are tried, and fixtures: material kept outside the project, light runs."""

import gc
import json
import logging
import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from rich.live import Live
from shortuuid import ShortUUID

# `make test` tries the same examples on every machine and however busy it is; `make test-random`
# tries other and more ones each time. Neither watches a clock.
_ANYWHERE = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow],
}
settings.register_profile("fixed", derandomize=True, max_examples=25, **_ANYWHERE)
settings.register_profile("random", max_examples=100, print_blob=True, **_ANYWHERE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# The matrices are small: threads of numpy's BLAS would mostly wait for each other, at full load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_collection_finish() -> None:
    """Twelve thousand tests are no garbage: Python need not look through them time and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def light_runs(tmp_path_factory):
    """Keep from small runs of Inspect what takes more time than their samples.

    It lays out tables that it does not show, writes samples to a database from which other
    processes can follow them, looks through the databases of all runs of the user, and through the
    files of packages for the one of a task, starts twelve threads for each part of a log, draws a
    coloured picture of each error, and writes a trace of each step, with slow identifiers.
    """
    from inspect_ai._eval.task import log
    from inspect_ai._util import constants, package
    from inspect_ai._util.rich import truncate_traceback

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("inspect")))
        patch.setattr(Live, "refresh", lambda live: None)
        patch.setattr(log, "SampleBufferDatabase", lambda **_: None)
        for module, name in (
            (package, "packages_distributions"),
            (log, "get_distribution_for_object"),
        ):
            patch.setattr(module, name, cache(getattr(module, name)))
        patch.setattr("inspect_ai._util.zipfile._ZSTD_THREADS", 0)
        patch.setattr(
            "inspect_ai.log._log.format_traceback",
            lambda *error: (truncate_traceback(*error)[0],) * 2,
        )
        patch.setattr(ShortUUID, "encode", lambda _, number, *__: number.hex[:22])
        logging.disable(constants.TRACE)
        yield
        logging.disable(logging.NOTSET)


@pytest.fixture
def few_draws(monkeypatch):
    """Let the bootstrap draw less where the exact ends of intervals do not matter."""
    from bias_tasks.statistics import cluster_bootstrap

    monkeypatch.setattr(cluster_bootstrap, "DRAWS", 400)
    for cached in (cluster_bootstrap._draw_weights, cluster_bootstrap._draw_prior_weights):
        monkeypatch.setattr(cluster_bootstrap, cached.__name__, cached.__wrapped__)


def _folder(variable: str, what: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} is not set: it names the folder with {what}")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"{variable} names {folder}, which is not a folder")
    return folder


@pytest.fixture
def shared_data() -> Path:
    """The folder of real upstream files, laid out as the data cache."""
    return _folder("BIAS_TASKS_DATA", "the real upstream files")


@pytest.fixture
def golden() -> Path:
    """The folder of the papers' printed tables and test cases."""
    return _folder("BIAS_TASKS_GOLDEN", "the papers' printed tables and test cases")


@pytest.fixture
def write_rows(tmp_path):
    """Return a function that writes rows to a JSON Lines file and returns its path."""

    def write_rows(*rows):
        path = tmp_path / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write_rows
