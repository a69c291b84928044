"""The templates for Slurm: what they run. `benchmarks/studies/slurm.sh` runs them on a cluster."""

import os
import re
import subprocess
from pathlib import Path

import pytest

SLURM = Path(__file__).parents[3] / "examples" / "slurm"
GIVEN = {
    "TASKS": "binaryqa ib_conformity_choice",
    "MODELS": "a/one b/two",
    "MODEL": "hf",
    "SHARDS": "3",
    "METADATA": '"data": "synthetic", "n": 9',
}


def worker(template, number, folder, **changed):
    """Run one worker of an array with stub commands that print their arguments."""
    for name in ("inspect", "lm_eval", "bias-tasks"):
        command = folder / name
        command.write_text(f'#!/bin/sh\necho {name} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    given = {**GIVEN, "LOGS": str(folder / "logs"), "SLURM_ARRAY_TASK_ID": str(number), **changed}
    return subprocess.run(
        ["bash", str(SLURM / template)],
        env={"PATH": f"{folder}:{os.environ['PATH']}", **given},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("template", "workers"), [("inspect.sbatch", 12), ("lm_eval.sbatch", 6)])
def test_each_worker_has_one_shard_and_a_separate_folder(template, workers, tmp_path):
    calls = [worker(template, number, tmp_path) for number in range(workers)]
    assert not any(call.returncode for call in calls)
    folders = {re.search(r"--(?:log-dir|output_path) (\S+)", call.stdout)[1] for call in calls}
    assert len(folders) == workers
    shards = [re.search(r'shard(?:=|": ")(\d/3)', call.stdout)[1] for call in calls]
    assert sorted(shards) == sorted(["1/3", "2/3", "3/3"] * (workers // 3))
    beyond = worker(template, workers, tmp_path)
    assert beyond.returncode == 2
    assert f"the last worker number for --array is {workers - 1}\n" in beyond.stderr
