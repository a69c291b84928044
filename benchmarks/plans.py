"""Is what `bias-tasks plan` says so? Its effects are simulated by other respondents, its tokens
counted by a real tokenizer, and both written into docs/plan.md, with the plans of all tasks.

    python benchmarks/plans.py              # about half an hour; --runs 100 for a rough look
    python benchmarks/plans.py --no-power   # the plans and their tokens alone

Tokens are compared where `tiktoken` has o200k_base without a network (TIKTOKEN_CACHE_DIR).
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from coverage_page import write_section

from bias_tasks.data.errors import DataError
from bias_tasks.families import FAMILY_NAMES, family_of_task, load_family
from bias_tasks.planning.plan import Asking, plan_task
from bias_tasks.planning.power import curve_around, smallest_effect
from bias_tasks.planning.price import Price
from bias_tasks.planning.simulated import Pool, effect_of
from bias_tasks.planning.tokens import estimated

OUT = Path(__file__).parents[1] / "docs" / "plan.md"
PLANS, POWER = "## What the tasks ask by default", "## Are the smallest effects found?"
PRICE = Price(1.0, 4.0)
ITEMS, DIALOGUES = 100, 10
TASKS = [task for name in FAMILY_NAMES for task in load_family(name).tasks]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=300, help="simulated runs at each of five effects"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-power", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    write_section(args.out, PLANS, plans())
    if not args.no_power:
        with ProcessPoolExecutor(args.workers) as workers:
            rows = list(workers.map(power, TASKS, [args.runs] * len(TASKS)))
        write_section(args.out, POWER, powers(rows, args.runs))


def plans() -> str:
    """A line for each task: its calls, tokens and price, and how near the tokens come."""
    lines = [
        PLANS,
        "",
        "On the paper's data. Dollars at $1 for a million tokens in and $4 out; the last column is "
        "how far the estimated tokens are from OpenAI's `o200k_base`. A dash: its data is not at "
        "hand where this table is made, or the task needs a file of "
        "your own. Attacks are made by rule.",
        "",
        "| task | items | calls | tokens in | tokens out | dollars | estimate |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for task in TASKS:
        try:
            plan = plan_task(task, given(task), Asking(price=PRICE, effect=False))
        except DataError:
            lines.append(f"| `{task}` | - | - | - | - | - | - |")
            continue
        calls = plan.calls
        lines.append(
            f"| `{task}` | {plan.items:,} | {calls.calls:,} | {calls.tokens_in:,.0f} | "
            f"{calls.tokens_out:,.0f} | {plan.dollars or 0:.2f} | {off(task)} |"
        )
    return "\n".join(lines)


def given(task: str) -> dict[str, str]:
    """What the paper's data needs: it brings no attacked responses."""
    names = {parameter.name for parameter in family_of_task(task).tasks[task].parameters}
    return {"attacks": "rule"} if "attacks" in names else {}


def off(task: str) -> str:
    """How far the estimate of a task's prompts is from a real tokenizer's count, in percent."""
    if "TIKTOKEN_CACHE_DIR" not in os.environ:
        return "-"
    import tiktoken

    family = family_of_task(task)
    spec = family.tasks[task]
    questions = family.plan(task, spec.values(given(task))).questions
    prompts = [question.prompt for question in questions[:: max(1, len(questions) // 300)]]
    encoding = tiktoken.get_encoding("o200k_base")
    counted = sum(len(encoding.encode(prompt, disallowed_special=())) for prompt in prompts)
    return f"{100 * (sum(map(estimated, prompts)) / counted - 1):+.1f} %"


def power(task: str, runs: int) -> tuple[str, str, float, float] | None:
    """The task, its figure, its smallest effect, and the share of other respondents' runs that
    find it; None where none would be."""
    family = family_of_task(task)
    spec = family.tasks[task]
    names = {parameter.name for parameter in spec.parameters}
    data = {name: "synthetic" for name in ("data", "dataset") if name in names}
    values = spec.values({**data, "n": ITEMS if data else DIALOGUES})
    plan = family.plan(task, values)
    n = len({question.item for question in plan.questions})
    effect = effect_of(task)
    assert effect is not None
    smallest = smallest_effect(family, Pool(family, spec, values, plan, effect), n)
    if smallest is None:
        return None
    other = Pool(family, spec, values, plan, effect, seed=1)
    rng = np.random.default_rng(1)
    null = smallest.null
    if null != 0:
        null = float(np.mean([other.run(rng, n, 0.0)[1].value for _ in range(runs)]))
    sign = float(np.sign(other.run(rng, n, 1.0)[1].value - null))
    curve = curve_around(smallest.share, lambda each: other.run(rng, n, each), runs, null, sign)
    # These are right about a little more or less: the effect is to be as large, not the share.
    shares = np.linspace(curve.shares[0], curve.shares[-1], 400)
    sizes = [abs(curve.mean_at(share) - null) for share in shares]
    at = float(shares[np.argmin(np.abs(np.array(sizes) - smallest.value))])
    return task, smallest.figure, smallest.value, curve.power_at(at)


def powers(rows: list[tuple[str, str, float, float] | None], runs: int) -> str:
    """A line for each task: its smallest effect at about 100 items, and how often it is found."""
    shares = [row[3] for row in rows if row is not None]
    inside = sum(0.75 <= share <= 0.85 for share in shares)
    lines = [
        POWER,
        "",
        f"About {ITEMS} generated items a task ({DIALOGUES} dialogues for the attention limit). "
        "Effects about as large as the one that the plan names are planted in other respondents, "
        f"seeded otherwise, and {runs} runs of each of five are simulated; a probit line through "
        f"the shares that find them says how many find the one. {inside} of {len(shares)} lie "
        f"between 75 and 85 %; the lowest is {100 * min(shares):.0f}, the highest "
        f"{100 * max(shares):.0f} %.",
        "",
        "| task | figure | smallest effect | found |",
        "| --- | --- | --- | --- |",
    ]
    for task, row in zip(TASKS, rows, strict=True):
        if row is None:
            lines.append(f"| `{task}` | | none would be found | |")
        else:
            lines.append(f"| `{task}` | `{row[1]}` | {row[2]:.3g} | {100 * row[3]:.0f} % |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
