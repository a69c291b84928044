"""`bias-tasks plan`: what a run will ask, what it costs, and what it shows; and `list`: the tasks.

Tokens are counted without a tokenizer, which would be a download: each kind of piece costs what it
does on average in OpenAI's `o200k_base` (docs/reference/plan.md says how near that comes).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from bias_tasks.commands.asking.ask import named_values
from bias_tasks.contract.family import Family, Plan
from bias_tasks.contract.parameters import SHARD, of_whole_run
from bias_tasks.contract.record import calls_of
from bias_tasks.contract.shards import in_part
from bias_tasks.families import FAMILY_NAMES, PROBING, family_of_task, load_family
from bias_tasks.results.tables import paragraph, print_table, printing

if TYPE_CHECKING:
    from bias_tasks.commands.plan_power import Precision

_ABOVE_0 = click.FloatRange(min=0, min_open=True)
_DOLLARS = click.FloatRange(min=0)
_LISTED = 12
"""Items of the core of which the calls are counted for the list."""
_OF_LIST = (
    "Calls: an item's, of all models, on the core set with the parameters' defaults. "
    "`bias-tasks plan TASK` counts a run's. probe asks another task's items, by its probes."
)
_HEADS = ("items", "calls", "tokens in", "tokens out", "price", "smallest effect")
_WITHOUT_TEMPLATE = "tokens in are the items' own, without what the probed task's solver adds"
_GRADER = "a model in the role grader would be asked about each answer that rules can't read"
_NO_PRICE = "No price is known: give --price-in and --price-out in dollars for a million tokens."
MESSAGE = 5
"""Tokens that a chat template adds to a message."""
_MILLION = 1_000_000
_WORD = re.compile(r"[A-Za-z]+")
_PIECES: tuple[tuple[re.Pattern[str], float], ...] = (
    (_WORD, 0.905),
    (re.compile(r"[0-9]{1,3}"), 1.81),
    (re.compile(r"[!-/:-@\[-`{-~]"), 0.64),
    (re.compile(r"\n+"), 1.65),
    (re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"), 0.85),  # Chinese, Japanese, Korean
    (re.compile(r"[\u0400-\u052f]"), 0.31),  # Cyrillic
    (re.compile(r"[\u0080-\u03ff\u0530-\u2e7f\ua000-\uabff\ud7b0-\uf8ff\ufb00-\U0010ffff]"), 0.45),
)
_NAME, _IN_VOCABULARY = 0.264, 3
"""What each letter of a capitalised word costs behind so many: names are rarely a token."""


@dataclass(slots=True)
class Calls:
    """The calls of one model."""

    calls: int = 0
    tokens_in: float = 0.0
    tokens_out: float = 0.0


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A task's plan; tokens and dollars are of the evaluated model."""

    task: str
    parameters: Mapping[str, Any]
    """Those that are not the default."""
    items: int
    calls: Calls
    of_roles: Mapping[str, Calls]
    """Calls of models in other roles."""
    dollars: float | None
    precision: Precision | None
    notes: tuple[str, ...]


@click.command(context_settings={"show_default": True})
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@named_values("-T", "given", "Parameter of each of the tasks.")
@click.option("--epochs", type=click.IntRange(1), default=1)
@click.option("--tokens-out", "answer_tokens", type=click.IntRange(0), help="Tokens of an answer.")
@click.option("--price-in", type=_DOLLARS, help="Dollars for a million tokens sent.")
@click.option("--price-out", type=_DOLLARS, help="Dollars for a million tokens written.")
@click.option("--detect", type=_ABOVE_0, help="An effect: how many items does it need?")
@click.option("--no-effect", is_flag=True, help="Count only, without drawn runs.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
def plan(
    *,
    tasks: tuple[str, ...],
    given: Mapping[str, Any],
    price_in: float | None,
    price_out: float | None,
    detect: float | None,
    no_effect: bool,
    form: str,
    **more: Any,
) -> None:
    """Say what TASKs will ask, cost and show, without a call of any model.

    Calls and tokens are counted from the prompts that a run with these parameters sends. The
    smallest effect is the one that the task's headline shows in 80 % of runs whose outcomes are
    drawn; --detect asks the other way round, in the headline's own unit, how many items an effect
    needs.
    """
    try:
        if (price_in is None) != (price_out is None):
            raise ValueError("--price-in and --price-out are given together")
        price = None if price_in is None or price_out is None else (price_in, price_out)
        options = {"price": price, "detect": detect, "effect": not no_effect, **more}
        with Console(stderr=True).status("drawing runs"):  # on a terminal alone
            names = [name.removeprefix("bias_tasks/") for name in tasks]
            plans = [plan_task(name, given, **options) for name in names]
    except (LookupError, ValueError) as error:
        raise click.ClickException(str(error.args[0] if error.args else error)) from error
    if form == "json":
        click.echo(json.dumps([asdict(each) for each in plans], indent=2, default=str))
    else:
        _print(plans, detect, effect=not no_effect)


@click.command("list")
def list_tasks() -> None:
    """Say which tasks there are: what each asks, its calls an item, and its data by default."""
    rows = []
    for family in map(load_family, (*FAMILY_NAMES, PROBING)):
        for task, spec in family.tasks.items():
            data = next((str(each.default) for each in spec.parameters if each.name == "data"), "-")
            calls = "-"
            if not spec.hands_on:
                found = family.plan(task, spec.values({"data": "core", "n": _LISTED}))
                items = {each.item for each in found.questions}
                calls = f"{calls_of(family, found).total() / len(items):.3g}"
            rows.append((task, spec.summary, calls, data))
    columns = ("task", "what it asks", "calls", "data")
    with printing(None) as console:
        print_table(console, columns, {"": rows}, numbers=columns[2:3])
        paragraph(console, _OF_LIST)


def plan_task(
    task: str,
    given: Mapping[str, Any],
    *,
    epochs: int = 1,
    answer_tokens: int | None = None,
    price: tuple[float, float] | None = None,
    effect: bool = True,
    detect: float | None = None,
) -> TaskPlan:
    """The plan of a task with the given parameters.

    Answers have as many tokens as the task declares, or `answer_tokens`; `price` is in dollars for
    a million tokens in, and out. With `effect` the smallest effect is looked for, with `detect` how
    many items that effect needs, in the headline's own unit. A LookupError where there is no such
    task, a ValueError or DataError where a value is not allowed or the items can't be had.
    """
    family = family_of_task(task)
    spec = family.tasks[task]
    defaults = {each.name: each.default for each in spec.parameters}
    own = given.keys() & defaults.keys() if spec.hands_on else given.keys()
    values = spec.values({name: given[name] for name in given if name in own})
    whole = of_whole_run(values)
    if spec.hands_on:
        # Imported here: it loads the host, and then the task that is probed.
        from bias_tasks.tasks._probe import plan_probe

        found = plan_probe(given)
    else:
        found = family.plan(task, whole)
    planned, _ = in_part(found, values.get(SHARD))
    tokens = spec.answer_tokens if answer_tokens is None else answer_tokens
    work = work_of(family, planned, answer_tokens=tokens, epochs=epochs)
    calls = work.pop(None)
    dollars = None
    if price is not None:  # without discounts for cached prompts
        price_in, price_out = price
        dollars = (calls.tokens_in * price_in + calls.tokens_out * price_out) / _MILLION
    notes = [*planned.notes, *([_WITHOUT_TEMPLATE] if spec.hands_on else [])]
    if any(family.sayable(question.facts) for question in planned.questions[:1]):
        notes.append(_GRADER)
    items = len({question.item for question in planned.questions})
    precision = None
    if effect:
        # Imported here: it loads the statistics, which a plan without effects does without.
        from bias_tasks.commands.plan_power import Pool, effect_of, smallest_effect

        if (planted := effect_of(task)) is not None:
            pool = Pool(family, task, whole, planned, planted)
            precision = smallest_effect(pool, items, epochs, detect)
    return TaskPlan(
        task=task,
        parameters={name: each for name, each in values.items() if each != defaults[name]},
        items=items,
        calls=calls,
        of_roles={str(role): each for role, each in work.items()},
        dollars=dollars,
        precision=precision,
        notes=tuple(notes),
    )


def work_of(
    family: Family, plan: Plan, *, answer_tokens: int, epochs: int = 1
) -> dict[str | None, Calls]:
    """The calls of a family's plan by model role, None for the model itself, where each answer of
    that has so many tokens and the whole plan is run `epochs` times."""
    quoted = "word " * answer_tokens
    found: dict[str | None, Calls] = {None: Calls()}
    for question in plan.questions:
        for request in family.requests(question, quoted):
            written = answer_tokens if request.answer is None else estimated(request.answer)
            own = found.setdefault(request.role, Calls())
            own.calls += epochs
            own.tokens_in += epochs * (estimated(request.prompt) + MESSAGE)
            own.tokens_out += epochs * written
    return found


def estimated(text: str) -> float:
    """About how many tokens a text has."""
    found = sum(cost * len(pattern.findall(text)) for pattern, cost in _PIECES)
    names = (word for word in _WORD.findall(text) if word[0].isupper())
    return found + _NAME * sum(max(0, len(word) - _IN_VOCABULARY) for word in names)


def _print(plans: Sequence[TaskPlan], detect: float | None, *, effect: bool) -> None:
    """Print a line for each plan, their sum, and what is taken for granted in them."""
    wanted = () if detect is None else (f"n for {detect:g}",)
    rows = []
    for each in plans:
        told = ["-", "-"]
        if (found := each.precision) is not None:
            told = [f"{found.figure} {found.smallest:.3g} from {found.null:.3g}"]
            told += [f"{found.items or 0:,}"]
        rows.append((each.task, *_counts([each]), *told[: 1 + len(wanted)]))
    if len(plans) > 1:
        rows.append(("all", *_counts(plans), *["", ""][: 1 + len(wanted)]))
    with printing(None) as console:
        numbers = (*_HEADS[:-1], *wanted)
        print_table(console, ("task", *_HEADS, *wanted), {"": rows}, numbers=numbers)
        for line in _told(plans, effect=effect):
            paragraph(console, line)


def _counts(plans: Sequence[TaskPlan]) -> tuple[str, ...]:
    dollars = [each.dollars for each in plans if each.dollars is not None]
    calls = [each.calls for each in plans]
    return (
        f"{sum(each.items for each in plans):,}",
        f"{sum(each.calls for each in calls):,}",
        f"{sum(each.tokens_in for each in calls):,.0f}",
        f"{sum(each.tokens_out for each in calls):,.0f}",
        f"${sum(dollars):,.2f}" if len(dollars) == len(plans) else "-",
    )


def _told(plans: Sequence[TaskPlan], *, effect: bool) -> Iterator[str]:
    """What a reader of the numbers must know."""
    yield ("Tokens out are an assumption (--tokens-out), tokens in an estimate from the prompts.")
    if any(each.dollars is None for each in plans):
        yield _NO_PRICE
    if effect:
        yield (
            "Smallest effect: how far the headline must be from there for its interval to show it "
            "in 80 % of runs, drawn with 80% of the answers right."
        )
    for each in plans:
        for role, calls in each.of_roles.items():
            yield (
                f"{each.task}: {calls.calls:,} more calls of the model in the role {role}, about "
                f"{calls.tokens_in:,.0f} tokens in and {calls.tokens_out:,.0f} out"
            )
        yield from (f"{each.task}: {note}" for note in each.notes)
