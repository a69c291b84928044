"""How many calls tasks make by default, and what a real tokenizer counts: docs/reference/plan.md.

    python -m benchmarks.studies.task_sizes

Tokens are compared where `tiktoken` has o200k_base without a network (TIKTOKEN_CACHE_DIR).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchmarks.coverage_study import write_section
from bias_tasks.commands.plan import estimate_tokens, plan_task
from bias_tasks.data.errors import DataError
from bias_tasks.families import FAMILY_NAMES, family_of_task, load_family

OUT = Path(__file__).parents[2] / "docs" / "reference" / "plan.md"
PLANS = "## What the tasks ask by default"
PRICE = (1.0, 4.0)
TASKS = [task for name in FAMILY_NAMES for task in load_family(name).tasks]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    write_section(args.out, PLANS, plans())


def plans() -> str:
    """One row per task: calls, tokens and price, and the error of the token estimate."""
    lines = [
        PLANS,
        "",
        "On the paper's data. Cost at 1 USD per million tokens in and 4 USD per million out; the "
        "last column is how far the estimated tokens are from OpenAI's `o200k_base`. A dash: its "
        "data is not available where this table is made, or the task needs a file of your own.",
        "",
        "| task | items | calls | tokens in | tokens out | USD | estimate |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for task in TASKS:
        try:
            plan = plan_task(task, {}, price=PRICE, power=False)
        except DataError:
            lines.append(f"| `{task}` | - | - | - | - | - | - |")
            continue
        calls = plan.calls
        lines.append(
            f"| `{task}` | {plan.items:,} | {calls.calls:,} | {calls.tokens_in:,.0f} | "
            f"{calls.tokens_out:,.0f} | {plan.cost_usd or 0:.2f} | {off(task)} |"
        )
    return "\n".join(lines)


def off(task: str) -> str:
    """How far the estimate of a task's prompts is from a real tokenizer's count, in percent."""
    if "TIKTOKEN_CACHE_DIR" not in os.environ:
        return "-"
    import tiktoken

    family = family_of_task(task)
    spec = family.tasks[task]
    questions = family.plan(task, spec.values({})).questions
    prompts = [question.prompt for question in questions[:: max(1, len(questions) // 300)]]
    encoding = tiktoken.get_encoding("o200k_base")
    counted = sum(len(encoding.encode(prompt, disallowed_special=())) for prompt in prompts)
    return f"{100 * (sum(map(estimate_tokens, prompts)) / counted - 1):+.1f} %"


if __name__ == "__main__":
    main()
