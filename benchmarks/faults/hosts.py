"""The two hosts as their own command lines, each run in a process that can be killed.

A process is forked from one that has imported the hosts already, so that a run costs what it does
and not seconds of imports; what it runs is the host's command with its arguments.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partialmethod
from multiprocessing import get_context
from pathlib import Path
from typing import Any

CONNECTIONS = 8
_FORKED = get_context("forkserver")
_FORKED.set_forkserver_preload(
    [
        "inspect_ai._cli.main",
        "inspect_ai._eval.evalset",
        "inspect_ai.model._providers.openai_compatible",
        "openai",
        "lm_eval.__main__",
        "lm_eval.evaluator",
        "lm_eval.models.openai_completions",
        "bias_tasks._registry",
        "bias_tasks.harness.task",
    ]
)
NAMES = ("inspect", "lm-eval")


@dataclass(frozen=True)
class Ask:
    """A run of a host, or of a part of it."""

    host: str
    address: str
    folder: Path
    given: Mapping[str, Any]
    """Parameters of the task."""
    shard: str | None = None
    options: Sequence[str] = ()
    """Of Inspect's command."""
    model_args: str = ""
    """Further arguments of lm-eval's model, such as `,max_retries=10`."""
    cache: Path | None = None
    """Of lm-eval: where answers are kept while the run goes on."""
    connections: int = CONNECTIONS
    resumed: bool = False
    """Whether Inspect's `eval-set` runs it, as it does shards: it takes over what logs answer."""
    printed: Path | None = None
    """Where to what it prints is written; beside the folder without it."""

    def command(self) -> list[str]:
        """As it is typed."""
        given = dict(self.given) | ({} if self.shard is None else {"shard": self.shard})
        if self.host == "inspect":
            command = "eval-set" if self.shard or self.resumed else "eval"
            told = [part for name, value in given.items() for part in ("-T", f"{name}={value}")]
            return [
                *("inspect", command, "bias_tasks/conformity", *told),
                *("--model", "openai-api/sim/m", "--max-connections", str(self.connections)),
                *("--log-dir", str(self.folder), "--display", "plain", "--no-score-display"),
                *self.options,
            ]
        from bias_tasks.harness.link import task_configs_folder

        metadata = {name: value for name, value in given.items() if name != "form"}
        model = f"model=m,base_url={self.address}/chat/completions"
        return [
            *("lm_eval", "--model", "local-chat-completions", "--apply_chat_template"),
            *("--model_args", f"{model},num_concurrent={self.connections}{self.model_args}"),
            *("--tasks", "ib_conformity_choice", "--metadata", json.dumps(metadata)),
            *("--include_path", str(task_configs_folder())),
            *("--log_samples", "--output_path", str(self.folder)),
            *(("--use_cache", str(self.cache)) if self.cache else ()),
        ]

    def start(self) -> Any:
        """The process that runs it; what it prints stands beside the folder."""
        printed = self.printed or self.folder.with_name(self.folder.name + ".printed")
        printed.parent.mkdir(parents=True, exist_ok=True)
        process = _FORKED.Process(target=_run, args=(self.command(), self.address, str(printed)))
        process.start()
        return process

    def run(self) -> int:
        """The exit code of the command, run to its end."""
        process = self.start()
        process.join()
        return int(process.exitcode)


def _run(command: list[str], address: str, printed: str) -> None:
    stream = open(printed, "a", encoding="utf-8")  # noqa: SIM115 - until the process ends
    os.dup2(stream.fileno(), 1)
    os.dup2(stream.fileno(), 2)
    os.environ |= {"SIM_API_KEY": "none", "SIM_BASE_URL": address, "OPENAI_API_KEY": "none"}
    sys.argv = command
    if command[0] == "inspect":
        from inspect_ai._cli.main import main

        main()
    else:
        from lm_eval.__main__ import cli_evaluate
        from lm_eval.tasks import TaskManager

        # Tasks that are not asked need not be indexed, which takes the harness seconds each time.
        without = partialmethod(TaskManager.__init__, include_defaults=False)
        TaskManager.__init__ = without  # type: ignore[method-assign,assignment]
        cli_evaluate()
