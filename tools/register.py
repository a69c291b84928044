"""Writes `eval.yaml`, and `docs/register.yaml` with the entries of the register of `inspect_evals`.

The register has one entry per task, whose code stays in its own repository. An entry needs a paper
on arXiv. Fields are those of `inspect_evals.metadata`. Run by `tools/tables.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from plan_tables import plan_by_default

from bias_tasks.commands.data import SOURCES
from bias_tasks.data.sources import Source
from bias_tasks.families import FAMILY_NAMES, PROBING, load_family

ROOT = Path(__file__).parents[1]
_ARXIV = {
    "instruction_boundary": "https://arxiv.org/abs/2509.20278",
    "output_format": "https://arxiv.org/abs/2408.08656",
    "complex_eval": "https://arxiv.org/abs/2509.03419",
}
"""The paper of each family that has one on arXiv."""
_HEAD = """# Entries of the register of inspect_evals, one per task. Written by `make tables`.
# To submit one, replace OWNER and COMMIT and copy it to register/<id>/eval.yaml. The submission
# form takes the paper's address and the task's:
# https://github.com/OWNER/bias-tasks/blob/COMMIT/<task_path>#L<line of @task>
"""


def listing(text: str) -> str:
    """Return `eval.yaml` with its external assets, and its tasks with their numbers of samples."""
    kept = {task["name"]: task.get("dataset_samples") for task in yaml.safe_load(text)["tasks"]}
    tasks, plans = [], plan_by_default()
    for family in (*FAMILY_NAMES, PROBING):
        for name in load_family(family).tasks:
            n = plans[name].samples if name in plans else kept.get(name)
            tasks.append({"name": name} | ({"dataset_samples": n} if n else {}))
    assets = [_asset(source) for source in SOURCES.values() if source.unnamed]
    unique = [asset for number, asset in enumerate(assets) if asset not in assets[:number]]
    head = re.split(r"^(?:external_assets|tasks):", text, maxsplit=1, flags=re.MULTILINE)[0]
    return head + _dump({"external_assets": unique, "tasks": tasks})


def register(_: str) -> str:
    """Return the entries of the register, from `eval.yaml` and the declarations of the tasks."""
    evaluation = yaml.safe_load((ROOT / "src/bias_tasks/eval.yaml").read_text(encoding="utf-8"))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    titles = {paper.get("url"): paper["title"] for paper in citation["references"]}
    samples = {task["name"]: task.get("dataset_samples") for task in evaluation["tasks"]}
    entries = {}
    for family, arxiv in _ARXIV.items():
        for name, spec in load_family(family).tasks.items():
            path = f"src/bias_tasks/{family}_tasks.py"
            entries[f"bias_tasks_{name}"] = {
                "full_title": f"{name.replace('_', ' ').capitalize()} ({titles[arxiv]})",
                "common_title": f"bias-tasks {name}",
                "paper_title": titles[arxiv],
                "description": f"{spec.summary} {' '.join(evaluation['description'].split())}",
                "contributors": [*evaluation["contributors"]],  # a copy: YAML gets no anchors
                "tasks": [{"name": name, "task_path": path, "dataset_samples": samples[name]}],
                "arxiv": arxiv,
                "source": {
                    "repository_url": "https://github.com/OWNER/bias-tasks",
                    "repository_commit": "COMMIT",
                    "maintainers": ["OWNER"],
                },
            }
    return _HEAD + _dump(entries)


def _asset(source: Source) -> dict[str, str]:
    """Return a data set that tasks fetch by default, as an external asset."""
    host, kind, method = "https://github.com/", "direct_url", "download_and_verify"
    if source.on_hub:
        host, kind, method = "", "huggingface", "load_dataset"
    state = "floating" if source.revision is None else "pinned"
    place = {"type": kind, "source": f"{host}{source.repository}", "fetch_method": method}
    return place | {"state": state, "comment": f"revision {source.revision or 'of the first load'}"}


def _dump(values: object) -> str:
    return yaml.safe_dump(values, sort_keys=False, width=100, allow_unicode=True)
