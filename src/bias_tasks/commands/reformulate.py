"""`bias-tasks reformulate`: rewords yes/no questions, for a person to review and reuse."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.files import QuestionRecord
from bias_tasks.binary_qa.data.load import (
    binary_order,
    by_grammar,
    chosen_domains,
    lacking,
    makers,
    named,
    record_to_dict,
)
from bias_tasks.binary_qa.items import REFORMULATIONS, BinaryItem, Reformulation
from bias_tasks.binary_qa.prompts.ask import number_question_request, reformulation_request
from bias_tasks.binary_qa.reformulation import checks, numeric
from bias_tasks.commands.ask import (
    Host,
    Interview,
    Step,
    UnusableReplyError,
    host_options,
    out_option,
)
from bias_tasks.commands.files import write_rows
from bias_tasks.commands.replies import asked_again, read_reply, shown
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, real_path, stands_there
from bias_tasks.names import did_you_mean
from bias_tasks.parameters import chosen_names

if TYPE_CHECKING:
    from inspect_ai.model import Model

ROLE = "reformulator"
_FIXED = ("answer", "domain", "source", "cluster", "context")
_SHOWN_REFUSALS = 5
_MADE = {
    "construction": "made with the question",
    "given": "given",
    "grammar": "by grammar",
    "missing": "missing",
    "model": "by a model",
}


@click.command()
@click.argument("source", metavar="FILE")
@out_option
@click.option("--model", help="Asked where the grammar knows no way; any of Inspect's names.")
@click.option(
    "--kinds",
    default=",".join(REFORMULATIONS),
    show_default=True,
    help="The rewordings to make.",
)
@click.option("--domains", help="Only these domains, separated by commas.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most so many questions.")
@host_options
def reformulate(
    *,
    source: str,
    out: Path,
    model: str | None,
    kinds: str,
    domains: str | None,
    limit: int | None,
    host: Host,
) -> None:
    """Reword the yes/no questions of FILE, by grammar and where it knows no way by a model.

    FILE is a JSONL, CSV or Parquet file of your own, or `paper` or names of its data sets. The
    model is asked by an evaluation of Inspect: run the same again to go on where it stopped, or
    with other --kinds to add these. Each row says under `provenance` who made what; review and
    edit the rows, and use them with data=OUT.
    """
    if real_path(out) == real_path(Path(source)):
        raise click.UsageError("--out is FILE itself; write to another file")
    chosen = cast(Sequence[Reformulation], chosen_names("--kinds", kinds, REFORMULATIONS))
    questions = read_questions(source, domains)
    stored = _stored(out, {record.item.id: record for record in questions})
    interview = Interview(host)
    opened = None if model is None else interview.model(ROLE, model)
    wanted = questions[:limit]
    stored |= reworded([stored.get(r.item.id, r) for r in wanted], chosen, interview, opened)
    write_rows(out, (record_to_dict(stored[r.item.id]) for r in questions if r.item.id in stored))
    records = [stored[record.item.id] for record in wanted if record.item.id in stored]
    _tell(out, records, chosen)
    _tell_what_remains(out, len(wanted), records, chosen, model, interview)


def read_questions(source: str, domains: str | None) -> list[QuestionRecord]:
    """The questions of a user's file, or of the paper's recipe, in the order they are taken up.

    What stands in a file already is noted as given, unless its provenance knows better. A question
    of the recipe may still be a `PendingNumberQuestion`.

    Args:
        source: path of the file; `paper`; or names of the recipe's data sets, separated by commas.
        domains: names of domains, separated by commas; all without it.

    Raises:
        DataError: the questions can't be had.
    """
    from bias_tasks.binary_qa.data.files import read_binary_file
    from bias_tasks.binary_qa.data.paper import BINARY_SOURCES, paper_items

    if source == "synthetic":
        raise DataError("synthetic questions come with all their rewordings")
    names = named(source) or []
    if names == ["paper"] or all(name in BINARY_SOURCES for name in names):
        items, _ = paper_items(
            named(domains), None if names == ["paper"] else names, lambda item: True
        )
        return [QuestionRecord(item) for item in binary_order(items, seed=0)]
    if not os.path.lexists(as_path(source)):
        near = did_you_mean([source], ("paper", *BINARY_SOURCES))
        raise DataError(
            f"{source}{near} is neither a file, nor 'paper', nor the name of a data set of its "
            "recipe"
        )
    records, _ = read_binary_file(source)
    known = sorted({record.item.domain for record in records})
    chosen = chosen_domains(named(domains), known, source)
    return [_noted(record) for record in records if record.item.domain in chosen]


def reworded(
    records: Sequence[QuestionRecord],
    kinds: Sequence[Reformulation],
    interview: Interview,
    model: Model | None,
) -> dict[str, QuestionRecord]:
    """The questions with the rewordings that they lacked, by id: the grammar's, then a model's.

    A question that asks for a number and was not turned yes/no is left out.
    """
    found = _turned(records, interview, model)
    found = {name: by_grammar(record, kinds) for name, record in found.items()}
    if model is None:
        return found
    asked = {
        f"{record.item.id}/{kind}": (record, kind)
        for record in found.values()
        for kind in lacking(record, kinds)
    }
    requests = {
        name: reformulation_request(record.item.question, kind)
        for name, (record, kind) in asked.items()
    }

    def read(name: str, reply: str) -> str:
        record, kind = asked[name]
        return _unless(reply, lambda text: checks.check(record.item.question, kind, text))

    steps = interview.ask("reformulate", ROLE, model, requests, read, asked_again, alike=True)
    for name, step in steps.items():
        record, kind = asked[name]
        record, origin = found[record.item.id], _origin(step)
        if step.value is None:
            found[record.item.id] = record.refused(kind, origin)
        else:
            found[record.item.id] = record.reworded(kind, step.value, origin)
    return found


def _turned(
    records: Sequence[QuestionRecord], interview: Interview, model: Model | None
) -> dict[str, QuestionRecord]:
    """The questions by id; those that ask for a number turned yes/no, where the model could."""
    pending = {
        f"{record.item.id}/question": record.item
        for record in records
        if isinstance(record.item, PendingNumberQuestion)
    }
    steps: Mapping[str, Step[str]] = {}
    if model is not None:

        def read(name: str, reply: str) -> str:
            item = pending[name]
            return _unless(
                reply,
                lambda text: numeric.check_number_question(
                    item.question, item.value, item.style, item.answer, text
                ),
            )

        requests = {
            name: number_question_request(item.question, str(item.value), item.style, item.answer)
            for name, item in pending.items()
        }
        steps = interview.ask("reformulate_numbers", ROLE, model, requests, read, asked_again)
    found = {}
    for record in records:
        if not isinstance(record.item, PendingNumberQuestion):
            found[record.item.id] = record
        elif (step := steps.get(f"{record.item.id}/question")) and step.value is not None:
            item = record.item
            plain = {part.name: getattr(item, part.name) for part in fields(BinaryItem)}
            turned = replace(BinaryItem(**plain), question=step.value)
            origin = {**_origin(step), "turned_from": item.question}
            found[item.id] = QuestionRecord(turned, {"question": origin})
    return found


def _unless(reply: str, refusal: Any) -> str:
    question = read_reply(reply)
    reason = refusal(question)
    if reason is not None:
        raise UnusableReplyError(reason)
    return question


def _origin(step: Step[str]) -> dict[str, Any]:
    """What goes into the provenance: by (`model`, or `refused` where every attempt was), output
    (the accepted question, or the last reply), model, prompt, attempts, and the last reason."""
    asked = {"model": step.model, "prompt": step.prompt, "attempts": len(step.replies)}
    if step.value is not None:
        return {"by": "model", "output": step.value, **asked}
    last = step.replies[-1]
    return {"by": "refused", "output": shown(last.output), **asked, "reason": last.refused}


def _noted(record: QuestionRecord) -> QuestionRecord:
    for kind in REFORMULATIONS:
        if record.maker(kind) == "given":
            record = record.reworded(kind, record.item.wording(kind), {"by": "given"})
    return record


def _stored(path: Path, wanted: Mapping[str, QuestionRecord]) -> dict[str, QuestionRecord]:
    """What an earlier run wrote, or a person edited, by id.

    Raises:
        DataError: the file can't be read, has wrong rows, or was made from other questions.
    """
    from bias_tasks.binary_qa.data.files import read_binary_file

    if not stands_there(path, "write") or path.stat().st_size == 0:
        return {}
    records, _ = read_binary_file(path)
    for record in records:
        found = wanted.get(record.item.id)
        difference = (
            "that question is not among them" if found is None else _difference(record, found)
        )
        if difference:
            raise DataError(
                f"{path} was made from other questions than these: of {record.item.id!r}, "
                f"{difference}. Give another --out, or the questions it was made from"
            )
    return {record.item.id: record for record in records}


def _difference(stored: QuestionRecord, wanted: QuestionRecord) -> str | None:
    """What of a question is not as it was; rewordings may have been edited, or added."""
    for name in _FIXED:
        if getattr(stored.item, name) != getattr(wanted.item, name):
            return f"the {name} differs"
    asked = stored.item.question
    if isinstance(wanted.item, PendingNumberQuestion):
        asked = stored.provenance.get("question", {}).get("turned_from", asked)
    if asked != wanted.item.question:
        return "the question differs"
    for kind in REFORMULATIONS:
        there = wanted.maker(kind) is not None
        if there and stored.provenance.get(kind) != wanted.provenance[kind]:
            return f"the given {kind} rewording differs"
    return None


def _tell(path: Path, records: Sequence[QuestionRecord], kinds: Sequence[Reformulation]) -> None:
    """Print how many rewordings of the questions in the file were made by whom."""
    made = [f"{n} {_MADE[maker]}" for maker, n in sorted(makers(records, kinds).items())]
    refused = sum(bool(_refusals(record, kinds)) for record in records)
    told = f"{path}: {len(records)} questions; rewordings: {', '.join(made) or 'none'}"
    click.echo(told + (f"; a model's were refused for {refused} questions" if refused else ""))


def _tell_what_remains(
    path: Path,
    wanted: int,
    records: Sequence[QuestionRecord],
    kinds: Sequence[Reformulation],
    model: str | None,
    interview: Interview,
) -> None:
    """End with an error where questions lack a rewording: how many, why, and what to do."""
    short = [record for record in records if lacking(record, kinds)]
    unturned = wanted - len(records)
    if not short and not unturned:
        return
    lines = [f"{len(short) + unturned} of {wanted} questions remain without a rewording"]
    if unturned and not interview.failures:
        lines.append(f"{unturned} ask for a number, were not turned yes/no, and are left out")
    refusals = [told for record in short for told in _refusals(record, kinds)]
    lines += refusals[:_SHOWN_REFUSALS]
    if len(refusals) > _SHOWN_REFUSALS:
        lines.append(f"and {len(refusals) - _SHOWN_REFUSALS} more refusals, in its provenance")
    click.echo("\n  ".join(lines), err=True)
    interview.complain("rewordings")
    if model is None:
        raise click.ClickException(
            "Run the same again with --model MODEL to have a model make them."
        )
    raise click.ClickException(
        f"Run the same again with another --model, write them into {path} yourself, or use it "
        "as it is: a question is asked in the variants that it has."
    )


def _refusals(record: QuestionRecord, kinds: Sequence[Reformulation]) -> list[str]:
    origins = {kind: record.provenance.get(kind, {}) for kind in lacking(record, kinds)}
    return [
        f"{record.item.id}, {kind}: refused, because {origin.get('reason')}"
        for kind, origin in origins.items()
        if origin.get("by") == "refused"
    ]
