"""Time and size of a report of ten models on a task of each family.

A simulated respondent answers about 200 questions a task; each log is then copied under the names
of further models, whose answers are read and compared like any others. Reading the logs, the
comparisons and the drawing are counted, imports too, as for somebody who types the command.
Run: python benchmarks/report_time.py [--models N]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log, write_eval_log

TASKS: dict[str, dict[str, Any]] = {
    "instruction_boundary.conformity": {"data": "synthetic", "n": 100},
    "binary_qa.binaryqa": {"data": "synthetic", "n": 25},
    "output_format.format_wrapping": {"dataset": "synthetic", "n": 28},
    "complex_eval.complexeval_math": {"data": "synthetic", "n": 50},
}
SECONDS, BYTES = 10.0, 1_000_000
RESPONDENTS = ("conformist", "coin")
"""Two kinds of answers, so that the copies are not all alike."""


def make(folder: Path, models: int) -> None:
    """Write the logs of all models into the folder."""
    for name, given in TASKS.items():
        module, _, task = name.partition(".")
        made = getattr(import_module(f"bias_tasks.tasks.{module}"), task)
        for respondent in RESPONDENTS:
            [log] = inspect_eval(
                made(**given),
                model=f"simulated/{respondent}",
                log_dir=str(folder / "once"),
                display="none",
            )
            whole = read_eval_log(log.location)
            for number in range(models):
                if number % len(RESPONDENTS) == RESPONDENTS.index(respondent):
                    whole.eval.model = f"maker/model-{number}"
                    write_eval_log(whole, str(folder / "all" / f"{name}-{number}.eval"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=10)
    models = parser.parse_args().models
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "all").mkdir()
        make(folder, models)
        out = folder / "report.html"
        command = ["report", str(folder / "all"), "--out", str(out)]
        code = f"from bias_tasks.cli import main; main({command!r})"
        before = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        spent, size = time.perf_counter() - before, out.stat().st_size
    print(f"{models} models x {len(TASKS)} tasks: {spent:.1f} s, {size:,} bytes")
    if spent > SECONDS or size > BYTES:
        raise SystemExit(f"more than {SECONDS:g} s or {BYTES:,} bytes")


if __name__ == "__main__":
    main()
