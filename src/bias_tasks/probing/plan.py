"""The questions of a probed task: each item with the baseline prompt, repeats, and every probe."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.contract.parameters import ParameterValues, select_names
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import BASELINE, REPEAT, ProbeData, ProbedItem, is_repeat, split_stack
from bias_tasks.probing.probes import perturb, select_probes
from bias_tasks.probing.probes.base import ProbeInput
from bias_tasks.probing.probes.prompt import read_instructions
from bias_tasks.probing.rewordings import KINDS, Rows, describe_rows, read_rewordings
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason
from bias_tasks.randomness import seeded_random

PROTOCOL = "own"
"""The protocol in the record of a run whose answers the probed task scores by its own rules."""


@dataclass(frozen=True, slots=True)
class ProbedPlan:
    """The questions of a run; those of one item are next to each other."""

    questions: tuple[ProbeData, ...]
    probes: tuple[str, ...]
    """The probes that the run tries."""
    notes: tuple[str, ...] = ()
    """Who made the rewordings, and to how many items a probe does not apply."""


def plan_probes(
    values: ParameterValues,
    items: Sequence[ProbedItem],
    other_items: Sequence[ProbedItem] = (),
    *,
    task: str = "",
    ids: Collection[str] = (),
    likelihoods: bool = False,
    single_call: bool = False,
) -> ProbedPlan:
    """Return each item's questions: the baseline, its repeats, and each probe that applies to it.

    Args:
        values: The value of every parameter of `probe`.
        items: Items of the run.
        other_items: Further items of the task, which may be few-shot examples.
        task: Name of the probed task.
        ids: Ids of all its items.
        likelihoods: Whether the task compares likelihoods of choices. These do not change between
            repeats, so there are no repeats.
        single_call: Whether the framework makes one call per question.

    Raises:
        ValueError: A probe is not possible, no probe applies to any item, or the file of rewordings
            belongs to another task.
        DataError: The file of rewordings or instructions cannot be read.
    """
    path: str | None = values["rewordings"]
    rewordings = read_rewordings(path, ids, items, task)
    probes = select_probes(
        values["probes"], rewordings, likelihoods=likelihoods, single_call=single_call
    )
    _check_used(values, probes)
    formats = select_names("formats", values["formats"], tuple(FINAL_FORMATS))
    instructions = read_instructions(values["instructions"])
    run = ProbeInput(items, other_items, rewordings, formats, instructions)
    n_repeats = 0 if likelihoods else values["repeats"]
    unperturbed = [BASELINE, *(f"{REPEAT}{number}" for number in range(1, n_repeats + 1))]
    questions: list[ProbeData] = []
    skips: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        questions += map(item.to_data, unperturbed)
        for probe in probes:
            try:
                perturbation = perturb(item, probe, values["seed"], run)
            except ProbeNotApplicableError as error:
                skips[probe][str(error)] += 1
            else:
                questions.append(item.to_data(probe, perturbation))
    skipped = "; ".join(_describe_skips(probe, counts) for probe, counts in skips.items())
    if len(questions) == len(items) * len(unperturbed):
        raise ValueError(f"none of the probes applies to any item: {skipped}. Set other probes=")
    # A probe that the run cannot use for lack of a file was not tried. A probe that applies to none
    # of the items for other reasons was tried.
    no_file = SkipReason.NO_REWORDINGS_FILE
    tried = tuple(probe for probe in probes if skips[probe][no_file] < len(items))
    notes = _describe_rewordings(questions, rewordings, str(path))
    if skipped:
        notes.append(f"skipped, of {len(items):,} items: {skipped}")
    return ProbedPlan(tuple(questions), tried, tuple(notes))


def _check_used(values: ParameterValues, probes: Collection[str]) -> None:
    """Raise a ValueError if the user sets a parameter that none of the probes uses."""
    names = {name for probe in probes for name in split_stack(probe)}
    users_of = {"rewordings": KINDS, "formats": ("format",), "instructions": ("instruction",)}
    for option, users in users_of.items():
        if values[option] is not None and not names & set(users):
            advice = f"remove it, or add {' or '.join(users)} to the probes"
            raise ValueError(f"{option}: none of the selected probes uses it; {advice}")


def _describe_rewordings(questions: Sequence[ProbeData], rewordings: Rows, path: str) -> list[str]:
    """Return who made the rewordings of a run, one note for each kind."""
    used = {
        kind: {
            q.item: rewordings[q.item, kind]
            for q in questions
            if rewordings and kind in split_stack(q.variant)
        }
        for kind in KINDS
    }
    return [describe_rows([*rows.values()], path) for rows in used.values() if rows]


def _describe_skips(probe: str, counts: Counter[str]) -> str:
    """Return how many items a probe skips, and why."""
    return f"{probe} for {', '.join(f'{count:,} ({skip})' for skip, count in counts.items())}"


def select_items(items: Sequence[ProbedItem], n: int | None, seed: int) -> list[ProbedItem]:
    """Return at most `n` items, drawn by the seed, in their order; all for None.

    Raises:
        ValueError: Two items have the same id.
    """
    ids = sorted({item.id for item in items})
    if len(ids) < len(items):
        [(duplicate, _)] = Counter(item.id for item in items).most_common(1)
        raise ValueError(f"several items have one id, such as {duplicate!r}: give each its own")
    if n is None or n >= len(items):
        return list(items)
    sampled = set(seeded_random(seed, "items").sample(ids, n))
    return [item for item in items if item.id in sampled]


def build_plan(
    planned: ProbedPlan,
    prompts: Iterable[tuple[str, str]],
    *,
    task: str,
    provenance: Mapping[str, object],
    notes: Sequence[str] = (),
) -> Plan:
    """Return a probed task's plan in the form that all families share.

    Args:
        planned: The questions.
        prompts: For each question its prompt and target, in the task's own words.
        task: Name of the task.
        provenance: Where the items come from, as plain JSON values.
        notes: Further notes of the run.
    """
    questions = tuple(
        Question(
            id=data.question_id,
            prompt=prompt,
            gold=target,
            scoring_data=data,
            choices=data.displayed_choices,
            repeats=is_repeat(data.variant),
        )
        for data, (prompt, target) in zip(planned.questions, prompts, strict=True)
    )
    notes = (*notes, *planned.notes)
    return Plan(questions=questions, provenance=(provenance,), data=task, notes=notes)
