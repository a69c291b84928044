"""Plans as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.planning.plan import Asking, TaskPlan

_HEADS = ("items", "calls", "tokens in", "tokens out", "price", "minutes", "smallest effect")


def print_plans(console: Console, plans: Sequence[TaskPlan], asking: Asking) -> None:
    """Print a line for each plan, their sum, and what is taken for granted in them."""
    wanted = asking.detect is not None
    heads = (*_HEADS, *((f"n for {asking.detect:g}",) if wanted else ()))
    table = Table(
        Column("task", overflow="fold"),
        *(Column(head, justify="right", overflow="fold") for head in heads),
        box=SIMPLE_HEAD,
        padding=0,
    )
    for plan in plans:
        needed = (_needed(plan),) if wanted else ()
        table.add_row(*map(Text, (plan.task, *_counts([plan]), _effect(plan), *needed)))
    if len(plans) > 1:
        table.add_row(*map(Text, ("all", *_counts(plans), "", *(("",) if wanted else ()))))
    console.print(table)
    for line in _told(plans, asking):
        console.print(Text(line))


def _counts(plans: Sequence[TaskPlan]) -> tuple[str, ...]:
    dollars = [plan.dollars for plan in plans]
    known = [each for each in dollars if each is not None]
    return (
        f"{sum(plan.items for plan in plans):,}",
        f"{sum(plan.calls.calls for plan in plans):,}",
        f"{sum(plan.calls.tokens_in for plan in plans):,.0f}",
        f"{sum(plan.calls.tokens_out for plan in plans):,.0f}",
        f"${sum(known):,.2f}" if len(known) == len(dollars) else "-",
        f"{sum(plan.minutes for plan in plans):,.1f}",
    )


def _effect(plan: TaskPlan) -> str:
    found = plan.precision
    if found is None:
        return "-"
    return f"{found.figure} {found.smallest:.3g} from {found.null:.3g}"


def _needed(plan: TaskPlan) -> str:
    if plan.precision is None:
        return "-"
    return "> 20,000" if plan.precision.items is None else f"{plan.precision.items:,}"


def _told(plans: Sequence[TaskPlan], asking: Asking) -> list[str]:
    """What a reader of the numbers must know."""
    lines = [
        f"{asking.connections} requests at a time, {asking.seconds:g} seconds each; tokens out are "
        "an assumption (--tokens-out), tokens in an estimate from the prompts."
    ]
    if any(plan.dollars is None for plan in plans):
        lines.append(
            "No price is known: give --price-in and --price-out in dollars for a million tokens, "
            "or --model with --model-cost-config."
        )
    if asking.effect:
        lines.append(
            "Smallest effect: how far the headline must be from there for its interval to show it "
            f"in 80 % of runs, simulated with {asking.accuracy:.0%} of the answers right."
        )
    for plan in plans:
        for role, calls in plan.of_roles.items():
            lines.append(
                f"{plan.task}: {calls.calls:,} more calls of the model in the role {role}, about "
                f"{calls.tokens_in:,.0f} tokens in and {calls.tokens_out:,.0f} out"
            )
        lines += [f"{plan.task}: {note}" for note in plan.notes]
    return lines
