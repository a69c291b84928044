"""A profile asked of models, by the host's own set of evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import bias_tasks
from bias_tasks.profiles.chosen import ChosenTask, profile_declared


class ProfileError(Exception):
    """A profile that can't be asked or did not finish; the message says what to do."""


def ask_profile(
    models: Sequence[str],
    tasks: Sequence[ChosenTask],
    log_dir: Path,
    *,
    display: str | None = None,
    model_base_url: str | None = None,
    model_args: dict[str, Any] | None = None,
    connections: int | None = None,
    max_tokens: int | None = None,
) -> None:
    """Ask every task of every model; what a log in the folder holds already is not asked again.

    Raises:
        ProfileError: a model can't be had, or a task did not finish.
    """
    from inspect_ai import eval_set
    from inspect_ai._util.error import (
        PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public name
    )
    from inspect_ai.model import get_model
    from rich.markup import render

    # Registers the simulated respondents, as the entry point does where it is installed.
    import_module("bias_tasks._registry")
    try:
        asked = [get_model(m, base_url=model_base_url, **model_args or {}) for m in models]
        made = [getattr(bias_tasks, chosen.task)(**chosen.parameters) for chosen in tasks]
        success, logs = eval_set(
            made,
            log_dir=str(log_dir),
            model=asked,
            display=display,  # type: ignore[arg-type]
            max_connections=connections,
            max_tokens=max_tokens,
            tags=[f"bias-profile-{profile_declared().version}"],
            score_display=False,
            retry_attempts=2,
        )
    except PrerequisiteError as error:
        raise ProfileError(" ".join(render(str(error.message)).plain.split())) from error
    except (ImportError, ValueError) as error:
        raise ProfileError(" ".join(str(error).split())) from error
    if not success:
        failed = [f"{log.eval.task} of {log.eval.model}" for log in logs if log.status != "success"]
        raise ProfileError(
            f"did not finish: {', '.join(failed)}. The same command goes on where it stopped; the "
            f"logs in {log_dir} say why (`inspect view --log-dir {log_dir}`)"
        )


def write_report(logs: Path, out: Path) -> None:
    """Write the page about the runs in a folder."""
    # Imported here: it loads the plots' library, which asking doesn't need.
    from bias_tasks.results.report.collect import collect
    from bias_tasks.results.report.page import page

    out.write_text(page(collect((logs,))), encoding="utf-8")
