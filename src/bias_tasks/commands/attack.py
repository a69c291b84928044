"""`bias-tasks attack`: builds data sets of attacked responses for the tasks of ComplexEval."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.batch_requests import runner as batch_requests
from bias_tasks.commands.batch_requests.replies import parse_attacked, parse_objection, parse_text
from bias_tasks.commands.batch_requests.runner import InspectRunner, RequestResult
from bias_tasks.complex_eval.attack_checks import AttackDefect, AttackRejection, check_attack
from bias_tasks.complex_eval.data.converters import load_rubric
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import ATTACKS, JUDGED_KINDS, JudgedItem, JudgedKind
from bias_tasks.complex_eval.prompts import attacks as prompts
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import select_names
from bias_tasks.messages import format_count
from bias_tasks.results.tables import print_rows

WRITERS: Mapping[str, Sequence[JudgedKind]] = {
    "reference_writer": ("basic", "math", "creative_writing"),
    "rubric_writer": ("basic",),
}
"""Kinds of items whose references and rubrics a model can write. Role playing has the book's
reference, and the other kinds have criteria instead of a rubric."""
_EXAMPLE_DOMAINS = ("Open QA", "Summarization")
"""Domains whose rubrics are examples in the prompt; the first is the paper's own example."""
_N_QUERIES, _QUERY_LENGTH = 3, 500
"""Number of a domain's requests in the prompt, and characters of each."""


@click.command()
@click.argument("family", type=click.Choice(JUDGED_KINDS))
@click.option("--data", default="paper", help="paper, core or your file.")
@click.option(
    "--responses",
    metavar="FILE",
    show_default="none",
    help="With --data paper: your file of rows {id, response}.",
)
@batch_requests.out_option
@batch_requests.names_option("--attacks", "--biases", "attacks", help="Attacks of the family.")
@batch_requests.model_option("Model that attacks", "--attacker", "--model", "attacker")
@batch_requests.model_option("Model that can reject attacks", "--checker")
@batch_requests.model_option("Model that writes a reference for each item", "--reference-writer")
@batch_requests.model_option("basic: model that writes a rubric for each domain", "--rubric-writer")
@batch_requests.names_option("--domains", help="Domains to keep.")
@batch_requests.names_option("--sources", help="With --data paper: data sets to use.")
@batch_requests.limit_option("n", help="Maximum number of items.")
@click.option("--seed", default=0, help="Seed of the order of items.")
@batch_requests.inspect_options()
def attack(
    family: JudgedKind,
    data: str,
    out: Path,
    attacks: str | None,
    runner: InspectRunner,
    **options: Any,
) -> None:
    """Attack the responses of a family of items, to test judges with them.

    MODEL is any model by Inspect's name, such as openai/gpt-4o-mini. --attacker extracts features
    of the auxiliary information and then works them into the response, at temperature 0. Without
    it, the attacks in the data are checked. Every attack must pass a mechanical check; a model is
    asked up to twice more with the reason. Rejected attacks are excluded and counted. A --checker
    can reject attacks that passed.

    The command runs evaluations of Inspect: repeat it to resume; OUT is then rewritten. Each row
    records under `provenance` how everything was generated. Run a task with data=OUT.
    """
    models = {role: options.pop(role) for role in ("attacker", "checker", *WRITERS)}
    roles = {role: model for role, model in models.items() if model is not None}
    if not roles.keys() & {"attacker", "checker"}:
        raise click.UsageError(
            "set --attacker to the model that attacks, or --checker to the model that checks the "
            "attacks in the data"
        )
    for role, families in WRITERS.items():
        if role in roles and family not in families:
            option = f"--{role.replace('_', '-')}"
            raise click.UsageError(f"{option} is for {', '.join(families)}; omit it for {family}")
    names = select_names("--attacks", attacks, ATTACKS[family])
    loaded = load_judged(family, data, **options)
    runner.open(roles)
    records, attempts = attack_items(runner, loaded.items, names)
    rows = _build_rows(records, attempts)
    batch_requests.write_rows(out, rows)
    _print_summary(names, attempts, len(loaded.items))
    click.echo(f"{out}: {len(rows):,} of {format_count(len(loaded.items), 'item')}")
    runner.raise_failures("request")
    if all(attempt.rejection is not None for attempt in attempts):
        raise click.ClickException(
            "no attack is valid; the table shows the reasons. Give another --attacker or data"
        )


@dataclass(slots=True)
class AttackAttempt:
    """An attack on an item, and its result."""

    item: JudgedItem
    name: str
    author: str = "model"
    """`model`, or the author that the data name."""
    text: str | None = None
    """The attacked response."""
    rejection: AttackRejection | None = None
    """Why the attack is excluded."""
    failed: bool = False
    """Whether a model failed, or the data have no such attack: there is no result."""
    steps: list[RequestResult[str]] = field(default_factory=list)
    """The requests to models, and their replies."""

    @property
    def key(self) -> str:
        """Id of the requests about this attack."""
        return f"{self.item.id}/{self.name}"


WriterRecords = Mapping[str, dict[str, JsonObject]]
"""How the `reference` and `rubric` of items were written, by item id."""


def attack_items(
    runner: InspectRunner, items: Sequence[JudgedItem], names: Sequence[str]
) -> tuple[WriterRecords, list[AttackAttempt]]:
    """Attack items, or check the attacks in the data if there is no role `attacker`.

    Args:
        runner: The models by role.
        items: The items.
        names: The attacks.

    Returns:
        The records of written references and rubrics, and the attempts with a result. Items for
        which a writer failed have none.
    """
    records: WriterRecords = {item.id: {} for item in items}
    for kind in ("reference", "rubric"):
        if f"{kind}_writer" in runner.models:
            items = _write_auxiliary(runner, kind, items, records)
    attempts = [AttackAttempt(item, name) for item in items for name in names]
    if "attacker" in runner.models:
        _generate_attacks(runner, attempts)
    else:
        for attempt in attempts:
            item, name = attempt.item, attempt.name
            attempt.text = item.attacked.get(name)
            attempt.author = item.attackers.get(name, "data")
            attempt.failed = attempt.text is None
            if attempt.text is not None:
                attempt.rejection = check_attack(item, name, attempt.text)
    if "checker" in runner.models:
        _check_attacks(runner, attempts)
    return records, [attempt for attempt in attempts if not attempt.failed]


def _generate_attacks(runner: InspectRunner, attempts: Sequence[AttackAttempt]) -> None:
    """Extract features, if an attack needs them, then attack the response (appendix A.3)."""
    for attempt, result in _ask(
        runner, "attack_features", "attacker", attempts, _request_features, _parse_text
    ):
        if result.refused is not None:
            message = f"extraction: {result.refused}"
            attempt.rejection = AttackRejection(AttackDefect.UNUSABLE_FEATURES, message)
    for attempt, result in _ask(
        runner, "attack", "attacker", attempts, _request_attack, _parse_attack
    ):
        attempt.text = result.value
        if result.refused is not None:
            _, attempt.rejection = _read_attack(attempt, result.last)


def _check_attacks(runner: InspectRunner, attempts: Sequence[AttackAttempt]) -> None:
    """Reject valid attacks to which the checker objects, or about which it gives no verdict."""
    for attempt, result in _ask(
        runner, "attack_check", "checker", attempts, _request_check, parse_objection
    ):
        if result.value is None:
            defect, detail = AttackDefect.NO_VERDICT, result.refused
        else:
            defect, detail = AttackDefect.CHECKER_REJECTED, result.value
        if detail:
            attempt.rejection = AttackRejection(defect, f"{defect.value}: {detail}")


def _build_rows(records: WriterRecords, attempts: Sequence[AttackAttempt]) -> list[JsonObject]:
    """Return rows of the attacked items, with valid attacks and how everything was generated."""
    rows = []
    for item, group in groupby(attempts, key=lambda attempt: attempt.item):
        by_name = {attempt.name: attempt for attempt in group}
        attacked = {name: text for name, text in item.attacked.items() if name not in by_name}
        attack_records = {}
        for name, attempt in by_name.items():
            attack_records[name] = {
                "by": attempt.author,
                "rejected": attempt.rejection and attempt.rejection.message,
                "steps": [step.record for step in attempt.steps],
            }
            if attempt.text and attempt.rejection is None:
                attacked[name] = attempt.text
        provenance = {**records[item.id], "attacks": attack_records}
        rows.append({**replace(item, attacked=attacked).to_row(), "provenance": provenance})
    return rows


def _write_auxiliary(
    runner: InspectRunner, kind: str, items: Sequence[JudgedItem], records: WriterRecords
) -> list[JudgedItem]:
    """Have a model write new references of the items, or new rubrics of their domains.

    A reference is written for each item; a rubric is written for each domain, and all items of the
    domain get it. The writing model has the role `reference_writer` or `rubric_writer`.

    Args:
        runner: Sends the requests.
        kind: `reference` or `rubric`.
        items: The items, which may have a text of this kind already.
        records: Records of what models wrote, by item; the request and its replies are added.

    Returns:
        Copies of the items with the new text, None if every reply was unusable. An item is missing
        if the model failed.
    """
    if kind == "rubric":
        keys = {item.id: item.domain for item in items}
        requests = {item.domain: _request_rubric(item.domain, items) for item in items}
    else:
        keys = {item.id: item.id for item in items}
        requests = {item.id: prompts.build_reference_request(item) for item in items}
    results = runner.ask(f"attack_{kind}", f"{kind}_writer", requests, _parse_text)
    written = []
    for item in items:
        if (result := results.get(keys[item.id])) is not None:
            records[item.id][kind] = result.record
            changed: JsonObject = {kind: result.value}
            written.append(replace(item, **changed))
    return written


def _ask(
    runner: InspectRunner,
    stage: str,
    role: str,
    attempts: Sequence[AttackAttempt],
    build_request: Callable[[AttackAttempt], str | None],
    parse: Callable[[AttackAttempt, str], str],
) -> Iterator[tuple[AttackAttempt, RequestResult[str]]]:
    """Make a request about every attempt that is not rejected, and yield those with a result."""
    requests: dict[str, str] = {}
    pending: dict[str, AttackAttempt] = {}
    for attempt in attempts:
        if attempt.failed or attempt.rejection is not None:
            continue
        try:
            request = build_request(attempt)
        except prompts.MissingAuxiliaryError as error:
            attempt.rejection = AttackRejection(AttackDefect.NO_AUXILIARY, str(error))
            continue
        if request is not None:
            pending[attempt.key], requests[attempt.key] = attempt, request
    results = runner.ask(stage, role, requests, lambda key, reply: parse(pending[key], reply))
    for key, attempt in pending.items():
        attempt.failed = key not in results
        if not attempt.failed:
            attempt.steps.append(results[key])
            yield attempt, results[key]


def _request_rubric(domain: str, items: Sequence[JudgedItem]) -> str:
    others = [name for name in _EXAMPLE_DOMAINS if name.casefold() != domain.casefold()]
    queries = [item.query[:_QUERY_LENGTH] for item in items if item.domain == domain]
    return prompts.build_rubric_request(domain, [*map(load_rubric, others)], queries[:_N_QUERIES])


def _request_features(attempt: AttackAttempt) -> str | None:
    return prompts.build_extraction_request(attempt.item, attempt.name)


def _request_attack(attempt: AttackAttempt) -> str:
    features = attempt.steps[0].value if attempt.steps else None
    return prompts.build_attack_request(attempt.item, attempt.name, features)


def _request_check(attempt: AttackAttempt) -> str:
    return prompts.build_check_request(attempt.item, attempt.name, attempt.text or "")


def _parse_text(_: object, reply: str) -> str:
    return parse_text(reply)


def _parse_attack(attempt: AttackAttempt, reply: str) -> str:
    text, rejection = _read_attack(attempt, reply)
    if rejection is not None:
        raise batch_requests.UnusableReplyError(rejection.message)
    return text


def _read_attack(attempt: AttackAttempt, reply: str) -> tuple[str, AttackRejection | None]:
    """Return the attacked response in an attacker's reply, and why it is unusable."""
    item = attempt.item
    try:
        text = parse_attacked(reply, item, item.responses[item.attack_target])
    except batch_requests.UnusableReplyError as error:
        return "", AttackRejection(AttackDefect.UNUSABLE_REPLY, str(error))
    return text, check_attack(item, attempt.name, text)


def _print_summary(names: Sequence[str], attempts: Sequence[AttackAttempt], n_items: int) -> None:
    """Print a table of the valid and rejected attacks, with the reasons."""
    rows = []
    for name in names:
        rejections = [attempt.rejection for attempt in attempts if attempt.name == name]
        defects = Counter(rejection.defect for rejection in rejections if rejection is not None)
        reasons = [f"{count} x {defect.value}" for defect, count in defects.most_common()]
        if len(rejections) < n_items:
            reasons.append(f"{n_items - len(rejections)} not generated yet: repeat the command")
        n_valid = len(rejections) - defects.total()
        rows.append((name, n_valid, defects.total(), "; ".join(reasons)))
    columns = ("attack", "valid", "rejected", "reasons")
    print_rows(columns, rows, columns[1:3])
