"""Run one task from each of four suites on several models with inspect-flow.

    pip install inspect-flow uv
    flow run examples/flow/families.py --arg models=openai/gpt-4o-mini,openai/gpt-4o --dry-run
    flow run examples/flow/families.py --arg models=openai/gpt-4o-mini,openai/gpt-4o
    bias-tasks results logs/flow

Rerun the command to resume. `--arg shard=3/16` runs one shard and writes its logs to a separate
folder. `bias-tasks results logs/flow` merges the shards.
"""

from pathlib import Path

from inspect_flow import FlowOptions, FlowSpec, FlowTask, tasks_matrix

# One task per suite. `n` is the maximum number of items; a run has all variants of each item.
TASKS = {
    "instruction_boundary": {"data": "paper", "n": 100},
    "binaryqa": {"n": 100},
    "format_bias": {"n": 100},
    "complexeval_basic": {"data": "paper", "n": 100},
}
# The same tasks with a few synthetic items, to try the setup without the papers' data.
SYNTHETIC = {
    "instruction_boundary": {"data": "synthetic", "n": 6},
    "binaryqa": {"data": "synthetic", "n": 6},
    "format_bias": {"data": "synthetic", "n": 6},
    "complexeval_basic": {"data": "synthetic", "n": 6},
}


def families(
    models: str | list[str] = "", synthetic: bool = False, shard: str | None = None
) -> FlowSpec:
    """Return the inspect-flow specification: each task on each model.

    Args:
        models: Model names in the form that `--model` accepts: a list, or comma-separated.
        synthetic: Whether to run the tasks of `SYNTHETIC` instead of `TASKS`.
        shard: Shard of each run, such as `3/16`; by default, the whole run.

    Raises:
        SystemExit: A model name is missing.
    """
    names = models.split(",") if isinstance(models, str) else list(models)
    names = list(dict.fromkeys(name.strip() for name in names))
    if not names or not all(names):
        raise SystemExit("name at least one model: --arg models=openai/gpt-4o-mini,openai/gpt-4o")
    shard_args = {} if shard is None else {"shard": str(shard)}
    tasks = [
        FlowTask(name=f"bias_tasks/{name}", args={**task_args, **shard_args})
        for name, task_args in (SYNTHETIC if synthetic else TASKS).items()
    ]
    folder = Path.cwd() / "logs" / "flow"
    return FlowSpec(
        log_dir=str(folder / shard_args["shard"].replace("/", "-of-") if shard_args else folder),
        options=FlowOptions(max_tasks=4),
        tasks=tasks_matrix(task=tasks, model=names),
    )
