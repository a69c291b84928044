"""`bias-tasks reformulate`: a model rewords yes/no questions, for a person to review and reuse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from os.path import realpath
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from bias_tasks.binary_qa.data.files import QuestionRecord, read_binary_file, record_to_dict
from bias_tasks.binary_qa.data.load import PAPER, binary_order, lacking, makers, question_records
from bias_tasks.binary_qa.data.paper import BINARY_SOURCES
from bias_tasks.binary_qa.items import (
    REFORMULATIONS,
    BinaryItem,
    PendingNumberQuestion,
    Reformulation,
)
from bias_tasks.binary_qa.prompts import ask
from bias_tasks.binary_qa.rewording import unusable_number_question, unusable_rewording
from bias_tasks.commands.asking import ask as asking
from bias_tasks.commands.asking.ask import Host, UnusableReplyError
from bias_tasks.commands.asking.replies import MOST_OF_A_QUESTION, objection, read_text, shown
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.data.errors import DataError

ROLE, CHECKER = "reformulator", "checker"
_DOUBTED = "the checker does not say that it means what it should"


@click.command()
@click.argument("source", metavar="FILE")
@asking.out_option
@click.option("--model", required=True, help="That rewords; any of Inspect's names.")
@click.option("--checker", help="A model that is asked whether each text means what it should.")
@click.option("--kinds", help=f"Some of {', '.join(REFORMULATIONS)}; all without it.")
@click.option("--domains", help="Only these domains, separated by commas.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most so many questions.")
@asking.host_options()
def reformulate(
    *,
    source: str,
    out: Path,
    model: str,
    checker: str | None,
    kinds: str | None,
    domains: str | None,
    limit: int | None,
    host: Host,
) -> None:
    """Have a model reword the yes/no questions of FILE, by the paper's prompts.

    FILE is a JSONL, CSV or Parquet file of your own, or `paper` or names of its data sets. The
    model is asked by an evaluation of Inspect: run the same again to go on where it stopped, or
    with other --kinds to add these; what stands in OUT stays. Each row says under `provenance` who
    made what; review and edit the rows, and use them with data=OUT.
    """
    if realpath(out) == realpath(Path(source)):
        raise click.UsageError("--out is FILE itself; write to another file")
    chosen = cast(Sequence[Reformulation], chosen_names("--kinds", kinds, REFORMULATIONS))
    names = None if source == PAPER else source.split(",")
    if names is None or BINARY_SOURCES.keys() >= set(names):
        questions, _ = question_records(PAPER, domains, names, with_pending=True)
        questions = binary_order(questions, seed=0)
    else:
        questions, _ = question_records(source, domains)
    found = _stored(out, {record.item.id: record.item for record in questions})
    host.open({ROLE: model} | ({} if checker is None else {CHECKER: checker}))
    wanted = [found.get(record.item.id, record) for record in questions[:limit]]
    made = reworded(host, wanted, chosen)
    found |= made
    asking.write_rows(
        out, (record_to_dict(found[r.item.id]) for r in questions if r.item.id in found)
    )
    counts = ", ".join(f"{n} {by}" for by, n in sorted(makers(made.values(), chosen).items()))
    click.echo(f"{out}: {len(made)} questions; rewordings: {counts}")
    host.complain("texts")
    short = [record for record in made.values() if lacking(record, chosen)]
    refusals = [o["reason"] for r in short for o in r.provenance.values() if "reason" in o]
    if short or len(made) < len(wanted):
        why = f" (the first: {refusals[0]})" if refusals else ""
        raise click.ClickException(
            f"{len(short)} of {len(wanted)} questions lack a rewording{why}, and "
            f"{len(wanted) - len(made)} for numbers were not turned yes/no and are left out. Run "
            f"the same again with another --model, write them into {out} yourself, or use it as it "
            "is: a question is asked in the variants that it has"
        )


class Wanted(NamedTuple):
    """A text that is asked for."""

    request: str
    unusable: Callable[[str], str | None]
    """Why a text can't be used, as far as can be seen; None where it can."""
    meaning: Callable[[str], str]
    """The request to the checker about a text; Yes: it means what it should."""


def reworded(
    host: Host, records: Sequence[QuestionRecord], kinds: Sequence[Reformulation]
) -> dict[str, QuestionRecord]:
    """The questions with the rewordings that they lacked, by id. One that asks for a number is
    turned yes/no first, or left out."""
    items = [record.item for record in records]
    pending = {item.id: item for item in items if isinstance(item, PendingNumberQuestion)}
    found = {record.item.id: record for record in records if record.item.id not in pending}
    numbers = {
        name: Wanted(
            ask.number_question_request(item),
            partial(unusable_number_question, item),
            partial(ask.number_meaning_request, item),
        )
        for name, item in pending.items()
    }
    for name, origin in _asked(host, "reformulate_numbers", numbers).items():
        if origin["by"] == "model":
            item = {part.name: getattr(pending[name], part.name) for part in fields(BinaryItem)}
            told = {**origin, "turned_from": item["question"]}
            question = BinaryItem(**item | {"question": origin["output"]})
            found[name] = QuestionRecord(question, {"question": told})
    wanted = {
        f"{record.item.id}/{kind}": Wanted(
            ask.reformulation_request(record.item.question, kind),
            partial(unusable_rewording, record.item.question, kind),
            partial(ask.meaning_request, record.item.question, kind),
        )
        for record in found.values()
        for kind in lacking(record, kinds)
    }
    for name, origin in _asked(host, "reformulate", wanted).items():
        identifier, _, kind = name.rpartition("/")
        found[identifier] = found[identifier].made(cast(Reformulation, kind), origin)
    return found


def _asked(host: Host, stage: str, wanted: Mapping[str, Wanted]) -> dict[str, dict[str, Any]]:
    """What came of asking, for the provenance: by (`model`, or `refused`), output (the text, or the
    last reply), model, prompt, attempts, and the reason of a refusal. Nothing of those on which a
    model failed."""

    def read(name: str, reply: str) -> str:
        text = read_text(reply, most=MOST_OF_A_QUESTION, one_line=True)
        if (why := wanted[name].unusable(text)) is not None:
            raise UnusableReplyError(why)
        return text

    steps = host.ask(stage, ROLE, {name: each.request for name, each in wanted.items()}, read)
    doubted: set[str] = set()
    if CHECKER in host.models:
        made = {name: step.value for name, step in steps.items() if step.value is not None}
        prompts = {name: wanted[name].meaning(text) for name, text in made.items()}
        judged = host.ask(f"{stage}_check", CHECKER, prompts, objection)
        doubted = {name for name, step in judged.items() if step.value != ""}
        steps = {n: step for n, step in steps.items() if n in judged or n not in made}
    found = {}
    for name, step in steps.items():
        reason = _DOUBTED if name in doubted else step.refused
        told = {} if reason is None else {"reason": reason}
        found[name] = {
            "by": "model" if reason is None else "refused",
            "output": shown(step.last) if step.value is None else step.value,
            **{each: step.record[each] for each in ("model", "prompt")},
            "attempts": len(step.record["replies"]),
            **told,
        }
    return found


def _stored(path: Path, sources: Mapping[str, BinaryItem]) -> dict[str, QuestionRecord]:
    """What an earlier run wrote, or a person edited, by id; a DataError where it is wrong, or made
    from other questions."""
    found = {
        each.item.id: each for each in asking.earlier(path, lambda out: read_binary_file(out)[0])
    }
    for name, record in found.items():
        turned_from = record.provenance.get("question", {}).get("turned_from")
        item, source = record.item, sources.get(name)
        if (
            source is None
            or source.question not in (item.question, turned_from)
            or (source.answer, source.context) != (item.answer, item.context)
        ):
            raise DataError(
                f"{path} was made from other questions than these: {name!r} is not among them, or "
                "its question, answer or context is another. Give another --out"
            )
    return found
