"""`bias-tasks reformulate`: a model rewords yes/no questions for a person to review and reuse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from os.path import realpath
from pathlib import Path
from typing import cast

import click

from bias_tasks.binary_qa.data.files import read_binary_file, record_to_dict
from bias_tasks.binary_qa.data.load import (
    count_makers,
    find_missing_reformulations,
    load_records,
    order_questions,
)
from bias_tasks.binary_qa.data.paper import BINARY_SOURCES
from bias_tasks.binary_qa.items import (
    REFORMULATIONS,
    BinaryItem,
    PendingNumberQuestion,
    Provenance,
    Reformulation,
)
from bias_tasks.binary_qa.prompts import render
from bias_tasks.binary_qa.rewording_checks import (
    find_number_question_problem,
    find_rewording_problem,
)
from bias_tasks.commands.batch_requests import replies
from bias_tasks.commands.batch_requests import runner as batch_requests
from bias_tasks.commands.batch_requests.runner import InspectRunner, RequestResult
from bias_tasks.contract.parameters import select_names
from bias_tasks.data.errors import DataError
from bias_tasks.messages import format_count
from bias_tasks.protocols import PAPER

ROLE, CHECKER = "reformulator", "checker"
_CHECK_FAILED = "the checker does not confirm that it means what it should"


@click.command()
@click.argument("source", metavar="FILE")
@batch_requests.out_option
@batch_requests.model_option("Model that rewords", "--model", required=True)
@batch_requests.model_option("Model that checks what each text means", "--checker")
@batch_requests.names_option("--kinds", help=f"Rewordings: {', '.join(REFORMULATIONS)}.")
@batch_requests.names_option("--domains", help="Domains to keep.")
@batch_requests.limit_option(help="Maximum number of questions.")
@batch_requests.inspect_options()
def reformulate(
    *,
    source: str,
    out: Path,
    model: str,
    checker: str | None,
    kinds: str | None,
    domains: str | None,
    limit: int | None,
    runner: InspectRunner,
) -> None:
    """Have a model reword the yes/no questions of FILE with the paper's prompts.

    FILE is your JSONL, CSV or Parquet file, or `paper`, or names of the paper's data sets. Rerun
    the command to resume, or to add other --kinds; existing rows of OUT are kept. Each row records
    under `provenance` how its rewordings were made. Review and edit the rows, and use them with
    data=OUT. To reword the items of any task, see `bias-tasks reword`.
    """
    if realpath(out) == realpath(Path(source)):
        raise click.UsageError("--out is FILE itself; write to another file")
    selected = cast(Sequence[Reformulation], select_names("--kinds", kinds, REFORMULATIONS))
    names = None if source == PAPER else source.split(",")
    if names is None or BINARY_SOURCES.keys() >= set(names):
        questions, _ = load_records(PAPER, domains, names, with_pending=True)
        questions = order_questions(questions, seed=0)
    else:
        questions, _ = load_records(source, domains)
    by_id = _read_earlier_rows(out, {item.id: item for item in questions})
    runner.open({ROLE: model} | ({} if checker is None else {CHECKER: checker}))
    pending = [by_id.get(item.id, item) for item in questions[:limit]]
    results = reword_questions(runner, pending, selected)
    by_id |= results
    rows = [by_id[item.id] for item in questions if item.id in by_id]
    batch_requests.write_rows(out, map(record_to_dict, rows))
    makers = sorted(count_makers(results.values(), selected).items())
    counts = ", ".join(f"{count} {maker}" for maker, count in makers)
    click.echo(f"{out}: {format_count(len(results), 'question')}; rewordings: {counts}")
    runner.raise_failures("text")
    _report_missing(out, results, selected, len(pending))


def _report_missing(
    out: Path, results: Mapping[str, BinaryItem], kinds: Sequence[Reformulation], n: int
) -> None:
    """Raise a ClickException if any of the n requested questions has no result or no rewording."""
    incomplete = [item for item in results.values() if find_missing_reformulations(item, kinds)]
    if not incomplete and len(results) == n:
        return
    reasons = [
        origin["reason"]
        for item in incomplete
        for origin in item.provenance.values()
        if "reason" in origin
    ]
    first = f" (the first: {reasons[0]})" if reasons else ""
    raise click.ClickException(
        f"{len(incomplete)} of {n} questions lack a rewording{first}, and {n - len(results)} for "
        "numbers are excluded, because no model turned them into yes/no questions. Rerun the "
        f"command with another --model, add the texts to {out} yourself, or use it as it is: each "
        "question is used in the variants that it has"
    )


@dataclass(frozen=True, slots=True)
class PendingRewording:
    """A text that a model is to write."""

    request: str
    find_problem: Callable[[str], str | None]
    """Returns why a text is unusable; None if no problem is visible."""
    build_check: Callable[[str], str]
    """Returns the request to the checker about a text; Yes means that its meaning is right."""


def reword_questions(
    runner: InspectRunner, items: Sequence[BinaryItem], kinds: Sequence[Reformulation]
) -> dict[str, BinaryItem]:
    """Have models make the missing rewordings.

    A question for a number is first turned into a yes/no question.

    Args:
        runner: Runs the requests.
        items: The questions.
        kinds: The rewordings that each question needs.

    Returns:
        The questions with their rewordings, by id, without those for numbers that no model turned
        into a yes/no question.
    """
    pending = {item.id: item for item in items if isinstance(item, PendingNumberQuestion)}
    results = {item.id: item for item in items if item.id not in pending}
    number_requests = {
        name: PendingRewording(
            render.number_question_request(item),
            partial(find_number_question_problem, item),
            partial(render.number_meaning_request, item),
        )
        for name, item in pending.items()
    }
    for name, origin in _request_texts(runner, "reformulate_numbers", number_requests).items():
        if origin["by"] == "model":
            item = pending[name]
            origin["turned_from"] = item.question
            values = {field.name: getattr(item, field.name) for field in fields(BinaryItem)}
            values |= {"question": origin["output"], "provenance": {"question": origin}}
            results[name] = BinaryItem(**values)
    requests = {
        f"{item.id}/{kind}": PendingRewording(
            render.reformulation_request(item.question, kind),
            partial(find_rewording_problem, item.question, kind),
            partial(render.meaning_request, item.question, kind),
        )
        for item in results.values()
        for kind in find_missing_reformulations(item, kinds)
    }
    for name, origin in _request_texts(runner, "reformulate", requests).items():
        identifier, _, kind = name.rpartition("/")
        results[identifier] = results[identifier].with_rewording(cast(Reformulation, kind), origin)
    return results


def _request_texts(
    runner: InspectRunner, stage: str, pending: Mapping[str, PendingRewording]
) -> dict[str, Provenance]:
    """Return how each text was made or refused, without those for which a model failed."""

    def parse(name: str, reply: str) -> str:
        text = replies.parse_text(
            reply, max_characters=replies.MAX_QUESTION_CHARACTERS, one_line=True
        )
        problem = pending[name].find_problem(text)
        if problem is not None:
            raise batch_requests.UnusableReplyError(problem)
        return text

    requests = {name: rewording.request for name, rewording in pending.items()}
    results = runner.ask(stage, ROLE, requests, parse)
    rejected: set[str] = set()
    if CHECKER in runner.models:
        texts = {name: result.value for name, result in results.items() if result.value is not None}
        prompts = {name: pending[name].build_check(text) for name, text in texts.items()}
        checks = runner.ask(f"{stage}_check", CHECKER, prompts, replies.parse_objection)
        rejected = {name for name, check in checks.items() if check.value != ""}
        results = {n: result for n, result in results.items() if n in checks or n not in texts}
    return {
        name: _build_provenance(result, _CHECK_FAILED if name in rejected else result.refused)
        for name, result in results.items()
    }


def _build_provenance(result: RequestResult[str], reason: str | None) -> Provenance:
    """Return the provenance of a text; `reason` is why it was refused."""
    provenance = Provenance(
        by="model" if reason is None else "refused",
        output=replies.excerpt_reply(result.last) if result.value is None else result.value,
        model=result.record["model"],
        prompt=result.record["prompt"],
        attempts=len(result.record["replies"]),
    )
    if reason is not None:
        provenance["reason"] = reason
    return provenance


def _read_earlier_rows(path: Path, sources: Mapping[str, BinaryItem]) -> dict[str, BinaryItem]:
    """Return the rows that an earlier run wrote or a person edited, by id.

    Raises:
        DataError: The file is invalid, or was made from other questions.
    """
    items = batch_requests.read_existing(path, lambda out: read_binary_file(out)[0])
    by_id = {item.id: item for item in items}
    for name, item in by_id.items():
        turned_from = item.provenance.get("question", {}).get("turned_from")
        source = sources.get(name)
        if (
            source is None
            or source.question not in (item.question, turned_from)
            or (source.answer, source.context) != (item.answer, item.context)
        ):
            raise DataError(
                f"{path} was made from other questions: {name!r} is not in FILE, or has another "
                "question, answer or context there. Give another --out"
            )
    return by_id
