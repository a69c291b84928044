"""`bias-tasks reword`: rewords and translates a task's items, for review and for `probe`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bias_tasks.commands.batch_requests import runner as requests
from bias_tasks.commands.batch_requests.replies import excerpt_reply, parse_objection, parse_text
from bias_tasks.commands.batch_requests.runner import InspectRunner, RequestResult
from bias_tasks.contract.parameters import ParameterValues, select_names
from bias_tasks.data.errors import DataError
from bias_tasks.digests import digest
from bias_tasks.families import PROBING, load_family
from bias_tasks.probing import rewordings
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings import KINDS, PASSED, Kind, Row
from bias_tasks.prompts.templates import fill, template
from bias_tasks.unicode_text import encodable
from bias_tasks.user_names import unknown_name

ROLE = "rewriter"
FRAMEWORKS = ("inspect", "lm-eval")
_DRAW_PARAMETERS = ("n", "seed")
_LM_EVAL_PARAMETERS = (*_DRAW_PARAMETERS, "include_path")
_OTHER_MEANING = "the model does not confirm that it asks the same"
_MAX_REPLY = 50_000
"""Characters of a reply; a longer one is refused."""


@dataclass(frozen=True, slots=True)
class _Languages:
    """The language of the items, and the language into which they are translated."""

    original: str
    target: str | None


@click.command()
@click.argument("task")
@requests.out_option
@requests.model_option("Model that rewords", "--model", required=True)
@requests.names_option(
    "--kinds",
    show_default="paraphrase; with --language also language",
    help=f"Kinds of rewordings: {', '.join(KINDS)}.",
)
@click.option(
    "--language", show_default="no translation", help="Language to translate into, such as German."
)
@click.option("--from", "original", default=rewordings.ENGLISH, help="Language of the items.")
@click.option(
    "--framework", type=click.Choice(FRAMEWORKS), default=FRAMEWORKS[0], help="Framework of TASK."
)
@requests.name_value_option("-T", "parameters", "Parameter of TASK, or n or seed of probe.")
@requests.inspect_options()
def reword(
    *,
    task: str,
    out: Path,
    model: str,
    kinds: str | None,
    language: str | None,
    original: str,
    framework: str,
    parameters: ParameterValues,
    runner: InspectRunner,
) -> None:
    """Reword or translate the items of TASK, which has the same name as in `probe`.

    An evaluation of Inspect prompts the model. Rerun the command to resume, or with other --kinds
    to add them. Review the rows, edit `reworded` or set `approved` to true or false, and use them
    with -T rewordings=OUT. For yes/no questions of Binary QA, use `bias-tasks reformulate`.
    """
    languages = _Languages(original, language)
    selected_kinds = _select_kinds(kinds, languages)
    name, ids, items = load_items(framework, task, parameters)
    rows = {(row.item, row.kind): row for row in requests.read_existing(out, rewordings.read_file)}
    mismatch = rewordings.find_mismatch(rows.values(), frozenset(ids), items, name)
    mismatch = mismatch or _find_other_languages(rows.values(), languages)
    if mismatch:
        raise DataError(f"{out} {mismatch}. Give another --out")
    runner.open({ROLE: model})
    for kind in selected_kinds:
        pending = [item for item in items if _is_pending(rows.get((item.id, kind)), runner)]
        for item, columns in reword_items(runner, pending, kind, languages):
            shared = {
                "task": name,
                "kind": kind,
                "original_language": original,
                "language": language if kind == "language" else None,
                "item": item.id,
                "original": encodable(item.text),
                "digest": rewordings.item_digest(item),
            }
            rows[item.id, kind] = Row.model_validate(shared | columns)
    positions = {item_id: index for index, item_id in enumerate(ids)}
    ordered = sorted(rows.values(), key=lambda row: (positions[row.item], KINDS.index(row.kind)))
    requests.write_rows(out, (row.model_dump(mode="json") for row in ordered))
    for kind in selected_kinds:
        kind_rows = [(rows.get((item.id, kind)), item) for item in items]
        click.echo(f"{out}: {kind}: {_summarize(kind_rows)}")
    runner.raise_failures("row")


def _summarize(rows: Sequence[tuple[Row | None, ProbedItem]]) -> str:
    """Return how many items a run can use, and why not the others."""
    reasons: Counter[str] = Counter()
    n_missing = 0
    for row, item in rows:
        if row is None:
            n_missing += 1
        elif (refusal := row.find_refusal(item)) is not None:
            reasons[str(refusal)] += 1
    n_usable = len(rows) - n_missing - reasons.total()
    parts = [f"{n_usable:,} of {len(rows):,} items are usable"]
    counts = sorted([*reasons.items(), ("without a row", n_missing)], key=lambda c: -c[1])
    return "; ".join(parts + [f"{count:,}: {reason}" for reason, count in counts if count])


def load_items(
    framework: str, task: str, parameters: ParameterValues
) -> tuple[str, Sequence[str], Sequence[ProbedItem]]:
    """Return a task's own name, the ids of all its items in their order, and the items of a run.

    Args:
        framework: The task's framework, one of `FRAMEWORKS`.
        task: The task as `probe` names it.
        parameters: `n` and `seed` of the run, and in Inspect the task's own parameters.

    Raises:
        ValueError: The task cannot be probed, or a parameter is unknown or not allowed.
        DataError: The task cannot be loaded.
    """
    spec = load_family(PROBING).tasks["probe"]
    probe_names = {parameter.name for parameter in spec.parameters}
    for name in probe_names & parameters.keys() - {*_DRAW_PARAMETERS}:
        raise ValueError(
            f"-T {name}: it is a parameter of a run, and changes no rewording; omit it"
        )
    if framework == "inspect":
        from bias_tasks.tasks._probe import select_task_items

        return select_task_items({"task": task, **parameters})
    from bias_tasks.harness.probed_doc import draw_docs, find_ids
    from bias_tasks.harness.probed_task import load_probed_task

    for name in parameters:
        if name not in _LM_EVAL_PARAMETERS:
            known = "parameters of an lm-eval task"
            raise ValueError(f"-T {unknown_name(name, _LM_EVAL_PARAMETERS, known)}")
    draw = {name: parameters[name] for name in _DRAW_PARAMETERS if name in parameters}
    values = spec.values({"task": task, **draw})
    probed = load_probed_task(task, parameters.get("include_path"))
    docs = draw_docs(probed, spec.items_asked(values), values["seed"])
    return str(probed.config.task), list(find_ids(probed)), [doc.item for doc in docs.values()]


def _find_other_languages(rows: Iterable[Row], languages: _Languages) -> str | None:
    """Return which other languages the translations in a file have, None if there are none."""
    if languages.target is None:
        return None
    for original, target in {(row.original_language, row.language) for row in rows}:
        if target is not None and (original, target) != (languages.original, languages.target):
            return f"has translations from {original} into {target}"
    return None


def _is_pending(row: Row | None, runner: InspectRunner) -> bool:
    """Return whether an item has no row, or one that another model failed to reword.

    A row that a person edited or reviewed stays.
    """
    if row is None:
        return True
    is_untouched = row.approved is None and not row.is_edited and row.by == "model"
    is_other_model = row.model != str(runner.models[ROLE])
    return is_untouched and is_other_model and row.failed_check is not None


def reword_items(
    runner: InspectRunner, items: Sequence[ProbedItem], kind: Kind, languages: _Languages
) -> Iterator[tuple[ProbedItem, dict[str, object]]]:
    """Yield the items with the columns of their rows; not those for which the model failed.

    A translation is translated back. A second request compares the rewording, or the back
    translation, with the original.

    Args:
        runner: Runs the requests.
        items: Items without a row.
        kind: The kind of rewording.
        languages: The languages of the items and of the translations.
    """
    by_id: dict[str, ProbedItem] = {}
    for item in items:
        reason = rewordings.reason_not_to_reword(item)
        if reason is None:
            by_id[item.id] = item
        else:
            yield item, {"by": "nobody", "checks": {"text": reason}}
    originals = {name: item.text for name, item in by_id.items()}
    back: Mapping[str, RequestResult[str]] = {}
    if kind == "language":
        stage, source, target = "translate", languages.original, languages.target or ""
        prompts = _translation_prompts(originals, source, target)
        results = _request_texts(runner, stage, by_id, prompts, kind)
        prompts = _translation_prompts(_usable_texts(results), target, source)
        back = _request_texts(runner, "translate_back", by_id, prompts)
        # Without a back translation the model failed: the item gets no row.
        results = {n: r for n, r in results.items() if n in back or r.value is None}
        compared = _usable_texts(back)
    else:
        stage = "paraphrase"
        prompts = {name: _fill_prompt(stage, given=text) for name, text in originals.items()}
        results = _request_texts(runner, stage, by_id, prompts, kind)
        compared = _usable_texts(results)
    comparisons = {
        name: _fill_prompt("same", first=originals[name], second=text)
        for name, text in compared.items()
    }
    same = runner.ask(f"{stage}_same", ROLE, comparisons, parse_objection)
    for name, result in results.items():
        if name not in compared or name in same:
            yield by_id[name], _build_columns(result, back.get(name), same.get(name))


def _build_columns(
    result: RequestResult[str],
    back: RequestResult[str] | None,
    same: RequestResult[str] | None,
) -> dict[str, object]:
    """Return the columns of a row from the results of its requests."""
    text = excerpt_reply(result.last) if result.value is None else result.value
    back_text = None if back is None else back.value or excerpt_reply(back.last)
    refused = result.refused or (None if back is None else back.refused)
    checks = {"text": refused or PASSED}
    if same is not None:
        checks["same"] = PASSED if same.value == "" else _OTHER_MEANING
    return {
        "reworded": text or None,
        "made": digest(text) if text else None,
        "back_translation": back_text,
        "checks": checks,
        "attempts": len(result.record["replies"]),
        "by": "model",
        "model": result.record["model"],
    }


def _usable_texts(results: Mapping[str, RequestResult[str]]) -> dict[str, str]:
    """Return the texts of the results that can be used, by item id."""
    return {name: result.value for name, result in results.items() if result.value is not None}


def _request_texts(
    runner: InspectRunner,
    stage: str,
    items: Mapping[str, ProbedItem],
    prompts: Mapping[str, str],
    kind: Kind | None = None,
) -> dict[str, RequestResult[str]]:
    """Return the model's texts by item id.

    A text that cannot replace the item's as a rewording of `kind` is requested again.
    """

    def parse(name: str, reply: str) -> str:
        original = items[name].text
        text = parse_text(reply, original, max_characters=_MAX_REPLY, one_line="\n" not in original)
        if kind is not None and (defect := rewordings.find_defect(items[name], text, kind)):
            raise requests.UnusableReplyError(defect)
        return text

    return runner.ask(stage, ROLE, prompts, parse)


def _translation_prompts(texts: Mapping[str, str], source: str, target: str) -> dict[str, str]:
    return {
        name: _fill_prompt("translate", given=text, language=source, into=target)
        for name, text in texts.items()
    }


def _fill_prompt(name: str, **fields: str) -> str:
    return fill(template(f"probing/{name}.txt"), **fields)


def _select_kinds(requested: str | None, languages: _Languages) -> tuple[Kind, ...]:
    """Return the kinds to make; a ValueError if one is unknown or its options are missing."""
    names = select_names("--kinds", requested, KINDS)
    target = (languages.target or "").strip()
    kinds: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind in names)
    if not requested and not languages.target:
        kinds = ("paraphrase",)
    if ("language" in kinds) != bool(target):
        raise ValueError("--language, such as German, and language among --kinds need each other")
    if target.casefold() == languages.original.strip().casefold():
        raise ValueError(f"--language and --from are both {languages.original}: change one")
    return kinds
