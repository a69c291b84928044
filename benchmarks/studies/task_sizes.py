"""How near the estimates of tokens are to a real tokenizer's counts: docs/reference/plan.md.

    python -m benchmarks.studies.task_sizes

Needs `tiktoken`, and without a network o200k_base in the folder TIKTOKEN_CACHE_DIR. The tables of
calls and costs are written by `tools/tables.py`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.coverage_study import write_section
from bias_tasks import __version__
from bias_tasks.commands.plan import estimate_tokens
from bias_tasks.data.errors import DataError
from bias_tasks.families import FAMILY_NAMES, load_family

OUT = Path(__file__).parents[2] / "docs" / "reference" / "plan.md"
HEADING = "## Accuracy of the token estimates"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    write_section(args.out, HEADING, errors())


def errors() -> str:
    """One row per task whose data are available: how far the estimate is from the tokenizer."""
    lines = [
        HEADING,
        "",
        "Difference between the estimated tokens of the prompts and those of OpenAI's `o200k_base` "
        f"(closer to 0 is better), measured with version {__version__} by\n"
        "`python -m benchmarks.studies.task_sizes`.",
        "",
        "| task | estimate |",
        "| --- | ---: |",
    ]
    for family in map(load_family, FAMILY_NAMES):
        for task, spec in family.tasks.items():
            try:
                questions = family.plan(task, spec.values({})).questions
            except DataError:
                continue
            prompts = [question.prompt for question in questions[:: max(1, len(questions) // 300)]]
            lines.append(f"| `{task}` | {off(prompts)} |")
    return "\n".join(lines)


def off(prompts: list[str]) -> str:
    """How far the estimate of prompts is from a real tokenizer's count, in percent."""
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    counted = sum(len(encoding.encode(prompt, disallowed_special=())) for prompt in prompts)
    return f"{100 * (sum(map(estimate_tokens, prompts)) / counted - 1):+.1f} %"


if __name__ == "__main__":
    main()
