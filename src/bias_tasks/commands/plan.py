"""`bias-tasks plan`: the calls, cost and minimum detectable effect of a run; and `list`: the tasks.

Tokens are estimated without a tokenizer, which would be a download: each kind of text costs what it
costs on average in OpenAI's `o200k_base` (docs/reference/plan.md has the accuracy).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from bias_tasks.commands.inspect_options import Command, name_value_option
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.parameters import SHARD, ParameterValues, without_shard
from bias_tasks.contract.questions import Plan
from bias_tasks.contract.shards import select_shard
from bias_tasks.families import PROBING, family_of_task, load_family
from bias_tasks.results import tables
from bias_tasks.results.text import to_json

if TYPE_CHECKING:
    from bias_tasks.commands.plan_power import Power

_ABOVE_0 = click.FloatRange(min=0, min_open=True)
_USD = click.FloatRange(min=0)
_LIST_ITEMS = 12
"""Items of the core set whose calls are counted for the list."""
_SUITES = {
    "instruction_boundary": "Instruction Boundary",
    "binary_qa": "Binary question answering",
    "output_format": "Output formats",
    "complex_eval": "Judges under auxiliary information",
    "judge_bias": "Judges under probes",
    PROBING: "Probe your own benchmark",
}
"""The title of each family's page, in the order of the pages."""
_LIST_NOTE = (
    "On the core set with default parameters: calls of all models per item, and USD of the "
    "evaluated model per 100 items at {price_in:g} USD per million input tokens and {price_out:g} "
    "per million output tokens. `bias-tasks plan TASK` counts a run. `probe` depends on the task "
    "that it probes."
)
_WITHOUT_TEMPLATE = "tokens in are the items' own, without what the probed task's solver adds"
_GRADER_NOTE = "a model in the role grader, if any, is called for answers that rules cannot parse"
_NO_PRICE = "No price is known: give --price-in and --price-out in USD per million tokens."
MESSAGE_TOKENS = 5
"""Tokens that a chat template adds to a message."""
_MILLION = 1_000_000
_POWER = ("metric", "null", "mde", "share", "items")
"""Fields of `Power` that rows have."""
_STRENGTHS = ("weak", "strong")
"""Strengths of the models whose `pair_mde` rows have."""
_PAIR_MDE = "MDE of a pair"
_UNSUMMED = ("MDE", _PAIR_MDE)
"""Columns of the printed table without a sum."""
_MAX_SHARE = 0.5
"""Items are too few if only an effect on more than this share of them is detected."""
_WORD = re.compile(r"[A-Za-z]+")
_TOKENS_PER_WORD = 0.905
_TOKENS_PER_MATCH: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"[0-9][0-9]{0,2}"), 1.81),  # {1,3} takes twice the time
    (re.compile(r"[!-/:-@\[-`{-~]"), 0.64),
    (re.compile(r"\n(?!\n)"), 1.65),  # the end of any number of newlines
)
_TOKENS_PER_NON_ASCII_MATCH: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"), 0.85),  # Chinese, Japanese, Korean
    (re.compile(r"[\u0400-\u052f]"), 0.31),  # Cyrillic
    (re.compile(r"[\u0080-\u03ff\u0530-\u2e7f\ua000-\uabff\ud7b0-\uf8ff\ufb00-\U0010ffff]"), 0.45),
)
_TOKENS_PER_NAME_LETTER, _CHEAP_NAME_LETTERS = 0.264, 3
"""Tokens for each further letter of a capitalized word: names are rarely one token."""


@dataclass(slots=True)
class Calls:
    """The calls of one model."""

    calls: int = 0
    tokens_in: float = 0.0
    tokens_out: float = 0.0


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """The plan of a task. Calls and cost are those of the evaluated model."""

    task: str
    parameters: ParameterValues
    """Parameters that differ from their defaults."""
    items: int
    samples: int
    """Questions: each item under each variant."""
    calls: Calls
    by_role: Mapping[str, Calls]
    """Calls of models in other roles."""
    cost_usd: float | None
    power: Power | None
    pair_mde: Mapping[str, float | None]
    """The difference between two models that 80 % of comparisons detect, for weak and for strong
    models; empty without a simulation."""
    notes: tuple[str, ...]


def price_options(command: Command) -> Command:
    """Give a command the prices of tokens as options, as `plan_task` has them."""
    option = partial(click.option, type=_USD, show_default="no cost")
    command = option("--price-out", help="USD per million output tokens, with --price-in.")(command)
    return option("--price-in", help="USD per million input tokens, with --price-out.")(command)


@click.command()
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@name_value_option("-T", "parameters", "Parameter of each TASK, such as n=50.")
@click.option("--epochs", type=click.IntRange(1), default=1, help="Number of epochs.")
@click.option(
    "--tokens-out",
    "answer_tokens",
    type=click.IntRange(0),
    show_default="means of recorded answers",
    help="Tokens per answer.",
)
@price_options
@click.option(
    "--detect",
    type=_ABOVE_0,
    show_default="none",
    help="Effect, in the headline's unit, for which to compute the number of items.",
)
@click.option("--no-power", is_flag=True, help="Skip the simulation of power.")
@tables.output_options
def plan(
    *,
    tasks: tuple[str, ...],
    parameters: ParameterValues,
    detect: float | None,
    no_power: bool,
    form: str,
    out: Path | None,
    **options: Any,
) -> None:
    """Show the calls, cost and power of TASKs, without calling a model.

    Calls and tokens are counted from the prompts that a run with these parameters sends. The MDE
    (minimum detectable effect) is the effect that the interval of the task's headline metric shows
    in 80 % of simulated runs. --detect computes the number of items that an effect needs, in the
    unit of the headline metric.
    """
    try:
        options |= {"detect": detect, "power": not no_power}
        names = [name.removeprefix("bias_tasks/") for name in tasks]
        plans = [plan_task(name, parameters, **options) for name in names]
    except (LookupError, ValueError) as error:
        raise click.ClickException(str(error.args[0] if error.args else error)) from error
    show = partial(print_plans, plans=plans, detect=detect, power=not no_power)
    tables.write(build_plan_rows(plans), form, out, show)


@click.command("list")
@click.option("--price-in", type=_USD, default=1.0, help="USD per million input tokens.")
@click.option("--price-out", type=_USD, default=4.0, help="USD per million output tokens.")
def list_tasks(*, price_in: float, price_out: float) -> None:
    """List the tasks of each suite, with what they measure, their headline metrics and cost."""
    groups: dict[str, list[tables.Row]] = {}
    for name, title in _SUITES.items():
        for task, spec in load_family(name).tasks.items():
            defaults = {parameter.name: parameter.default for parameter in spec.parameters}
            calls = cost = "-"
            if not spec.wraps_other_task:
                core = {"data": "core", "n": _LIST_ITEMS}
                plan = plan_task(task, core, price_in=price_in, price_out=price_out, power=False)
                n_calls = plan.calls.calls + sum(role.calls for role in plan.by_role.values())
                calls = f"{n_calls / plan.items:.3g}"
                cost = f"{(plan.cost_usd or 0.0) / plan.items * 100:.2f}"
            data = str(defaults.get("data", "-"))
            row = {
                "task": task,
                "what it measures": spec.summary,
                "headline": spec.headline[0],
                "calls": calls,
                "USD": cost,
                "data": data,
            }
            groups.setdefault(title, []).append(row)
    console = Console()
    tables.print_table(console, groups)
    tables.print_paragraph(console, _LIST_NOTE.format(price_in=price_in, price_out=price_out))


def plan_task(
    task: str,
    parameters: ParameterValues,
    *,
    epochs: int = 1,
    answer_tokens: int | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
    power: bool = True,
    detect: float | None = None,
) -> TaskPlan:
    """Return the plan of a task.

    Args:
        task: The task's name in its family.
        parameters: Parameters that are set, unchecked.
        epochs: Number of epochs.
        answer_tokens: Tokens per answer; by default the mean of each variant.
        price_in: USD per million input tokens; None, with `price_out`, if no price is known.
        price_out: USD per million output tokens.
        power: Whether to compute the minimum detectable effect.
        detect: The effect for which to compute the number of items, in the unit of the headline.

    Raises:
        LookupError: There is no such task.
        ValueError, DataError: A value is not allowed, or the items are not available.
    """
    if (price_in is None) != (price_out is None):
        raise ValueError("give both --price-in and --price-out, or neither")
    family = family_of_task(task)
    spec = family.tasks[task]
    defaults = {parameter.name: parameter.default for parameter in spec.parameters}
    values = spec.values(
        {k: v for k, v in parameters.items() if k in defaults or not spec.wraps_other_task}
    )
    if spec.wraps_other_task:
        # Imported here: it loads Inspect, and then the probed task.
        from bias_tasks.tasks._probe import plan_probe

        whole_plan = plan_probe(parameters)
    else:
        whole_plan = family.plan(task, without_shard(values))
    shard, _ = select_shard(whole_plan, values.get(SHARD))
    variants = {question.variant for question in shard.questions}
    lengths = {name: spec.answer_length(name, values).mean for name in variants}
    if answer_tokens is not None:
        lengths = dict.fromkeys(lengths, answer_tokens)
    by_role = count_tokens(family, shard, lengths, epochs)
    calls = by_role.pop(None)
    cost_usd = None
    if price_in is not None and price_out is not None:  # without discounts for cached prompts
        cost_usd = (calls.tokens_in * price_in + calls.tokens_out * price_out) / _MILLION
    notes = [*shard.notes]
    if spec.wraps_other_task:
        notes.append(_WITHOUT_TEMPLATE)
    if any(family.allowed_answers(question.scoring_data) for question in shard.questions[:1]):
        notes.append(_GRADER_NOTE)
    task_power: Power | None = None
    pair_mde: Mapping[str, float | None] = {}
    if power:
        task_power, pair_mde, problem = _plan_power(family, task, values, shard, epochs, detect)
        notes += problem
    return TaskPlan(
        task=task,
        parameters={name: value for name, value in values.items() if value != defaults[name]},
        items=len({question.item for question in shard.questions}),
        samples=len(shard.questions),
        calls=calls,
        by_role={str(role): role_calls for role, role_calls in by_role.items()},
        cost_usd=cost_usd,
        power=task_power,
        pair_mde=pair_mde,
        notes=tuple(notes),
    )


def _plan_power(
    family: AnyFamily,
    task: str,
    values: ParameterValues,
    shard: Plan,
    epochs: int,
    detect: float | None,
) -> tuple[Power | None, Mapping[str, float | None], list[str]]:
    """Return what a run can detect, and two runs, if anything, and a note on too few items."""
    # Imported here: it loads scipy, which a plan without power does not need.
    from bias_tasks.commands import plan_power

    effect = plan_power.read_effect(family.name, task)
    if effect is None:
        return None, {}, []
    items = len({question.item for question in shard.questions})
    pools = {
        name: plan_power.OutcomePool(family, task, without_shard(values), shard, effect, strength)
        for name, strength in plan_power.STRENGTHS.items()
    }
    try:
        with Console(stderr=True).status("simulating runs"):  # shown on a terminal only
            power = plan_power.compute_power(pools["weak"], items, epochs, detect)
    except plan_power.NoHeadlineError as error:
        return None, {}, [f"{items} items cannot measure {error}; use more or other items"]
    pair_mde = {
        name: plan_power.compute_pair_mde(pool, items, epochs) for name, pool in pools.items()
    }
    effect_text, found = "even the largest effect", "less than 80 %"
    if power is not None:
        if power.share <= _MAX_SHARE:
            return power, pair_mde, []
        effect_text, found = f"only an effect on {power.share:.0%} of them", "80 %"
    problem = f"{items} items are too few: {effect_text} would be detected in {found} of runs"
    return power, pair_mde, [problem]


def count_tokens(
    family: AnyFamily, plan: Plan, answer_tokens: Mapping[str, int], epochs: int
) -> dict[str | None, Calls]:
    """Return the calls of a plan by model role; None is the evaluated model.

    Args:
        family: The family of the plan.
        plan: The questions.
        answer_tokens: Tokens per answer of the evaluated model, by variant.
        epochs: Number of epochs.
    """
    by_role: dict[str | None, Calls] = {None: Calls()}
    for question in plan.questions:
        history, length = 0.0, answer_tokens[question.variant]
        for request in family.requests(question, "word " * length):
            tokens_out = length if request.answer is None else estimate_tokens(request.answer)
            calls = by_role.setdefault(request.role, Calls())
            calls.calls += epochs
            history = history if request.continues else 0.0
            history += estimate_tokens(request.prompt) + MESSAGE_TOKENS
            calls.tokens_in += epochs * history
            history += tokens_out + MESSAGE_TOKENS
            calls.tokens_out += epochs * tokens_out
    return by_role


@lru_cache(maxsize=4096)  # tasks of a family share prompts
def estimate_tokens(text: str) -> float:
    """Return the approximate number of tokens of a text."""
    words = _WORD.findall(text)
    tokens = _TOKENS_PER_WORD * len(words)
    others = () if text.isascii() else _TOKENS_PER_NON_ASCII_MATCH
    for pattern, cost in (*_TOKENS_PER_MATCH, *others):
        tokens += cost * len(pattern.findall(text))
    names = (word for word in words if word[0].isupper())
    letters = sum(len(name[_CHEAP_NAME_LETTERS:]) for name in names)
    return tokens + _TOKENS_PER_NAME_LETTER * letters


def build_plan_rows(plans: Iterable[TaskPlan]) -> list[dict[str, object]]:
    """Return one row per task and role of a model; `role` is missing for the evaluated model."""
    return [
        {
            "task": plan.task,
            "role": role,
            "parameters": to_json(dict(plan.parameters)),
            "items": plan.items,
            **asdict(calls),
            "cost_usd": plan.cost_usd if role is None else None,
            **{f"power_{name}": getattr(plan.power, name, None) for name in _POWER},
            **{f"pair_mde_{name}": plan.pair_mde.get(name) for name in _STRENGTHS},
            "notes": "; ".join(plan.notes),
        }
        for plan in plans
        for role, calls in [(None, plan.calls), *plan.by_role.items()]
    ]


def print_plans(
    console: Console, plans: Sequence[TaskPlan], detect: float | None = None, *, power: bool
) -> None:
    """Print a row for each plan, their sum, and the assumptions.

    Args:
        console: The console to print to.
        plans: The plans.
        detect: The effect for which the plans have a number of items.
        power: Whether the plans have a minimum detectable effect.
    """
    rows = []
    for task_plan in plans:
        row = _sum_counts(task_plan.task, [task_plan])
        task_power = task_plan.power
        if task_power is not None:
            row["MDE"] = f"{task_power.metric} {task_power.mde:.3g} from {task_power.null:.3g}"
        elif not power:
            del row["MDE"]
        row[_PAIR_MDE] = format_pair_mde(task_plan.pair_mde)
        if detect is not None:
            row[f"n for {detect:g}"] = None if task_power is None else task_power.items
        rows.append(row)
    if len(plans) > 1:
        unsummed = dict.fromkeys(_UNSUMMED, "")
        rows.append({**dict.fromkeys(rows[0], ""), **_sum_counts("all", plans), **unsummed})
    tables.print_table(console, {"": rows})
    for note in _explain_numbers(plans, power=power):
        tables.print_paragraph(console, note)


def format_pair_mde(pair_mde: Mapping[str, float | None]) -> str:
    """Return the MDE between two weak and between two strong models as in `0.05 / 0.03`."""
    values = [pair_mde.get(name) for name in _STRENGTHS]
    return " / ".join("-" if value is None else f"{value:.2g}" for value in values)


def _sum_counts(name: str, plans: Sequence[TaskPlan]) -> dict[str, object]:
    """Return a row with the sums of some plans, without a minimum detectable effect."""
    costs = [plan.cost_usd for plan in plans if plan.cost_usd is not None]
    return {
        "task": name,
        "items": sum(plan.items for plan in plans),
        "calls": sum(plan.calls.calls for plan in plans),
        "tokens in": sum(round(plan.calls.tokens_in) for plan in plans),
        "tokens out": sum(round(plan.calls.tokens_out) for plan in plans),
        "price": f"${sum(costs):,.2f}" if len(costs) == len(plans) else "-",
        "MDE": "-",
    }


def _explain_numbers(plans: Sequence[TaskPlan], *, power: bool) -> Iterator[str]:
    """Yield what a reader of the table must know."""
    yield "Tokens in are estimates, tokens out means of recorded answers; thinking comes on top."
    if any(plan.cost_usd is None for plan in plans):
        yield _NO_PRICE
    if any(plan.pair_mde for plan in plans):
        yield (
            "MDE of a pair: the difference between the headlines of two weak / strong models "
            "(80 / 97 % of the answers are correct; biased on 10 / 3 % of them, with "
            "independent errors) that 80 % of paired comparisons detect."
        )
    if power:
        yield (
            "MDE (minimum detectable effect): the distance of the headline metric from its value "
            "without an effect that its interval shows in 80 % of simulated runs, in which 80 % of "
            "the answers are correct."
        )
    for plan in plans:
        for role, calls in plan.by_role.items():
            yield (
                f"{plan.task}: {calls.calls:,} more calls of the model in the role {role}, about "
                f"{calls.tokens_in:,.0f} tokens in and {calls.tokens_out:,.0f} out"
            )
    for note in dict.fromkeys(note for plan in plans for note in plan.notes):
        yield f"{', '.join(plan.task for plan in plans if note in plan.notes)}: {note}"
