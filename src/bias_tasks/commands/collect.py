"""`bias-tasks collect`: the texts in logs of `make_*` tasks, as a file that tasks read."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import click
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from bias_tasks.data.files import file_exists, write_jsonl
from bias_tasks.data.log_size import check_log_size
from bias_tasks.messages import format_count
from bias_tasks.results.run import UnusableRunError
from bias_tasks.results.tables import print_rows
from bias_tasks.solvers.until_valid import REASONS, ROWS


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to", "path", type=click.Path(path_type=Path), required=True, help="JSONL file to write."
)
def collect(logs: Sequence[Path], path: Path) -> None:
    """Collect the valid texts in LOGS into a file that tasks read.

    LOGS are logs or folders of logs, all of one of the tasks make_attacks, make_auxiliary,
    make_rewordings and make_reformulations. If several logs have an item, the last one with all its
    texts counts, or else the last one. A table shows how many texts are missing, and why. Failed
    samples are excluded: repeat them with `inspect eval-retry LOG`. An existing file is kept.
    """
    if path.suffix.lower() != ".jsonl":
        raise click.UsageError(f"--to {path} must end in .jsonl, the format that is written")
    if file_exists(path, "write"):
        raise click.UsageError(f"--to {path} exists, and may have your edits: give another name")
    contents = [_read_log(log) for log in _list_logs(logs)]
    if len(tasks := {log.eval.task for log in contents}) > 1:
        raise click.UsageError(f"LOGS are of several tasks: {', '.join(sorted(tasks))}")
    planned = dict.fromkeys(name for log in contents for name in log.eval.dataset.sample_ids or ())
    written = _select_samples([sample for log in contents for sample in log.samples or ()])
    finished = [written[name] for name in planned if name in written]
    rows = [row for sample in finished for row in sample.store[ROWS]]
    if rows:
        write_jsonl(path, rows)
    reasons = [(name, r) for sample in finished for name, r in sample.store[REASONS].items()]
    if reasons:
        _print_summary(reasons)
    click.echo(f"{path}: {format_count(len(rows), 'row')}")
    if n_failed := len(planned) - len(finished):
        raise click.ClickException(
            f"{format_count(n_failed, 'item')} failed or not finished: run `inspect eval-retry` "
            "with the log, and collect the new log"
        )
    if reasons and all(reason for _, reason in reasons):
        raise click.ClickException(
            "no text is valid; the table shows the reasons. Use another model or data"
        )


def _list_logs(paths: Sequence[Path]) -> list[Path]:
    """Return the logs, with those of folders from the oldest to the newest.

    Raises:
        UnusableRunError: A folder has no log.
    """
    logs: list[Path] = []
    for path in paths:
        if not path.is_dir():
            logs.append(path)
            continue
        infos = list_eval_logs(str(path), descending=False)
        if not infos:
            raise UnusableRunError(f"{path}: has no Inspect log")
        logs += [Path(url2pathname(urlparse(info.name).path)) for info in infos]
    return logs


def _read_log(path: Path) -> EvalLog:
    """Return a log of a task that writes texts.

    Raises:
        UnusableRunError: The file is not such a log.
    """
    check_log_size(path)
    try:
        log = read_eval_log(str(path))
    except Exception as error:  # a damaged file raises any error
        raise UnusableRunError(f"{path}: cannot be read as an Inspect log ({error!r})") from error
    if not log.eval.task.rpartition("/")[2].startswith("make_"):
        raise UnusableRunError(f"{path}: {log.eval.task} writes no texts; give a log of make_*")
    return log


def _select_samples(samples: Sequence[EvalSample]) -> dict[str | int, EvalSample]:
    """Return the finished sample of each item: the last with all texts, or else the last."""
    selected: dict[str | int, EvalSample] = {}
    for sample in samples:
        if ROWS not in sample.store:
            continue
        earlier = selected.get(sample.id)
        if earlier is None or any(earlier.store[REASONS].values()):
            selected[sample.id] = sample
    return selected


def _print_summary(reasons: Sequence[tuple[str, str | None]]) -> None:
    """Print a table of the valid and missing texts.

    Args:
        reasons: For each text its name, and why it is missing; None if it is valid.
    """
    rows = []
    for name in dict.fromkeys(name for name, _ in reasons):
        counts = Counter(
            reason and reason.partition(":")[0] for other, reason in reasons if other == name
        )
        valid = counts.pop(None, 0)
        words = "; ".join(f"{count} x {reason}" for reason, count in counts.most_common())
        rows.append({"text": name, "valid": valid, "missing": counts.total(), "reasons": words})
    print_rows(rows)
