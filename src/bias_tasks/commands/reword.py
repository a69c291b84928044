"""`bias-tasks reword`: rewords and translates a task's items, to be reviewed and asked."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.asking import ask as asking
from bias_tasks.commands.asking.ask import Host, Step, UnusableReplyError
from bias_tasks.commands.asking.replies import objection, read_text, shown
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.data.errors import DataError
from bias_tasks.families import PROBING, load_family
from bias_tasks.names import digest, encodable, unknown_name
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings import (
    ENGLISH,
    KINDS,
    PASSED,
    Kind,
    Row,
    item_digest,
    other_items,
    read_file,
    unfit,
    unusable,
)
from bias_tasks.prompts.templates import fill, template

ROLE = "rewriter"
HOSTS = ("inspect", "lm-eval")
_OWN = ("n", "seed")
_HARNESS = ("n", "seed", "include_path")
_NOT_THE_SAME = "the model says that it does not ask the same, or does not say"
_MOST = 50_000
"""Characters of a reply that are looked at; a longer one is refused by its length."""


@click.command(context_settings={"show_default": True})
@click.argument("task")
@asking.out_option
@click.option("--model", required=True, help="That rewords; any of Inspect's names.")
@click.option("--kinds", help=f"Some of {', '.join(KINDS)}; without it what --language says.")
@click.option("--language", help="Into which texts are translated, in English: German.")
@click.option("--from", "original", default=ENGLISH, help="Their own language.")
@click.option("--host", "task_host", type=click.Choice(HOSTS), default=HOSTS[0], help="Of TASK.")
@asking.named_values("-T", "given", "n, seed, and TASK's own.")
@asking.host_options()
def reword(
    *,
    task: str,
    out: Path,
    model: str,
    kinds: str | None,
    language: str | None,
    original: str,
    task_host: str,
    given: Mapping[str, Any],
    host: Host,
) -> None:
    """Reword or translate the items of TASK, which is named as for `probe`.

    The model is asked by an evaluation of Inspect: run the same again to go on where it stopped, or
    with other --kinds to add these. Review the rows, edit `reworded` or set `approved` to true or
    false, and use them with -T rewordings=OUT.
    """
    wanted = _kinds(kinds, language, original)
    name, ids, items = items_of(task_host, task, given)
    rows = {(row.item, row.kind): row for row in asking.earlier(out, read_file)}
    other = other_items(rows.values(), frozenset(ids), items, name)
    for own, into in {(row.original_language, row.language) for row in rows.values()}:
        if None not in (language, into) and (own, into) != (original, language):
            other = other or f"has translations from {own} into {into}"
    if other:
        raise DataError(f"{out} {other}. Give another --out")
    host.open({ROLE: model})
    for kind in wanted:
        open_items = [item for item in items if _is_open(rows.get((item.id, kind)), host)]
        common: dict[str, Any] = {"task": name, "kind": kind, "original_language": original}
        common["language"] = language if kind == "language" else None
        for item, columns in reworded(host, open_items, kind, (original, language or "")):
            about = {"item": item.id, "original": encodable(item.text), "digest": item_digest(item)}
            rows[item.id, kind] = Row.model_validate(common | about | columns)
    place = {name: number for number, name in enumerate(ids)}
    ordered = sorted(rows.values(), key=lambda row: (place[row.item], KINDS.index(row.kind)))
    asking.write_rows(out, (row.model_dump(mode="json") for row in ordered))
    for kind in wanted:
        found = [(row, item) for item in items if (row := rows.get((item.id, kind)))]
        told = Counter(row.refusal(item) for row, item in found)
        told["without a row"] = len(items) - len(found)
        asked = f"{told.pop(None, 0):,} of {len(items):,} items can be asked"
        others = [f"{count:,}: {reason}" for reason, count in told.most_common() if count]
        click.echo(f"{out}: {kind}: {'; '.join([asked, *others])}")
    host.complain("rows")


def items_of(
    host: str, task: str, given: Mapping[str, Any]
) -> tuple[str, Sequence[str], Sequence[ProbedItem]]:
    """A task of that host, named as `probe` takes it: its own name, the ids of all its items in
    their order, and those items that a run with the same n and seed asks.

    `given` has n and seed, and in Inspect the task's own parameters. A ValueError or DataError
    where the task can't be probed, or a parameter is unknown or not allowed.
    """
    spec = load_family(PROBING).tasks["probe"]
    for name in {each.name for each in spec.parameters} & given.keys() - {*_OWN}:
        raise ValueError(
            f"-T {name}: it says how a run asks, and changes no rewording; leave it out here"
        )
    if host == "inspect":
        from bias_tasks.tasks._probe import items_asked

        return items_asked({"task": task, **given})
    from bias_tasks.harness.probed_doc import drawn_docs, ids_of
    from bias_tasks.harness.probed_task import probed_task

    for name in given:
        if name not in _HARNESS:
            raise ValueError(f"-T {unknown_name(name, _HARNESS, 'parameters of an lm-eval task')}")
    values = spec.values({"task": task} | {name: given[name] for name in _OWN if name in given})
    probed = probed_task(task, given.get("include_path"))
    docs = drawn_docs(probed, spec.items_asked(values), values["seed"])
    return str(probed.config.task), list(ids_of(probed)), [doc.item for _, doc in docs.values()]


def _is_open(row: Row | None, host: Host) -> bool:
    """Whether a row lacks, or another model's was refused and nobody edited or judged it."""
    if row is None:
        return True
    untouched = row.approved is None and not row.edited and row.by == "model"
    another = row.model != str(host.models[ROLE])
    return untouched and another and row.failed is not None


def reworded(
    host: Host, items: Sequence[ProbedItem], kind: Kind, languages: tuple[str, str]
) -> Iterator[tuple[ProbedItem, dict[str, Any]]]:
    """The items with the columns of their rows; none for those on which the model failed.
    `languages` are the items' own, and into which they are translated."""
    fit: dict[str, ProbedItem] = {}
    for item in items:
        reason = unfit(item)
        if reason is None:
            fit[item.id] = item
        else:
            yield item, {"by": "nobody", "checks": {"text": reason}}
    stage = "paraphrase" if kind == "paraphrase" else "translate"
    texts = {name: item.text for name, item in fit.items()}
    made = _texts(host, stage, fit, _prompts(stage, texts, languages), kind)
    seconds = {name: step.value for name, step in made.items() if step.value is not None}
    back: Mapping[str, Step[str]] = {}
    if kind == "language":
        requests = _prompts(stage, seconds, languages[::-1])
        back = _texts(host, "translate_back", fit, requests)
        made = {name: step for name, step in made.items() if name in back or name not in seconds}
        seconds = {name: step.value for name, step in back.items() if step.value is not None}
    alike = {n: _prompt("same", first=texts[n], second=text) for n, text in seconds.items()}
    same = host.ask(f"{stage}_same", ROLE, alike, objection)
    for name, step in made.items():
        if name in seconds and name not in same:
            continue
        text = shown(step.last) if step.value is None else step.value
        returned = back.get(name)
        checks = {"text": step.refused or (returned and returned.refused) or PASSED}
        if name in same:
            checks["same"] = PASSED if same[name].value == "" else _NOT_THE_SAME
        columns = {
            "reworded": text or None,
            "made": digest(text) if text else None,
            "back_translation": returned and (returned.value or shown(returned.last)),
            "checks": checks,
            "attempts": len(step.record["replies"]),
            "by": "model",
            "model": step.record["model"],
        }
        yield fit[name], columns


def _texts(
    host: Host,
    stage: str,
    items: Mapping[str, ProbedItem],
    requests: Mapping[str, str],
    kind: Kind | None = None,
) -> dict[str, Step[str]]:
    """What is made of the items' texts; one that can't stand for them as that kind, where one is
    given, is asked for again."""

    def read(name: str, reply: str) -> str:
        own = items[name].text
        text = read_text(reply, own, most=_MOST, one_line="\n" not in own)
        if kind is not None and (refused := unusable(items[name], text, kind)):
            raise UnusableReplyError(refused)
        return text

    return host.ask(stage, ROLE, requests, read)


def _prompts(stage: str, texts: Mapping[str, str], languages: Sequence[str]) -> dict[str, str]:
    told = {} if stage == "paraphrase" else dict(zip(("language", "into"), languages, strict=True))
    return {name: _prompt(stage, given=text, **told) for name, text in texts.items()}


def _prompt(name: str, **fields: str) -> str:
    return fill(template(f"probing/{name}.txt"), **fields)


def _kinds(given: str | None, language: str | None, original: str) -> tuple[Kind, ...]:
    """The kinds that are made; a ValueError where one is unknown, or lacks what it takes."""
    names = chosen_names("--kinds", given, KINDS)
    kinds = tuple(k for k in KINDS if k in names and (given or language or k == "paraphrase"))
    if ("language" in kinds) != bool(language and language.strip()):
        raise ValueError("--language, such as German, and language among --kinds go together")
    if (language or "").strip().casefold() == original.strip().casefold():
        raise ValueError(f"--language is the items' own, {original} (--from)")
    return kinds
