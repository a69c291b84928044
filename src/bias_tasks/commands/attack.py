"""`bias-tasks attack`: builds datasets of attacked responses for the tasks of ComplexEval."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.asking import ask as asking
from bias_tasks.commands.asking.ask import Host, Step, UnusableReplyError
from bias_tasks.commands.asking.replies import objection, read_attacked, read_text
from bias_tasks.complex_eval.attack_checks import check_attack, kind_of
from bias_tasks.complex_eval.data.converters import rubric
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import (
    JUDGED_KINDS,
    JudgedItem,
    JudgedKind,
    attack_names,
    attacked_response,
    judged_to_dict,
)
from bias_tasks.complex_eval.prompts import attacks as ask
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.results.tables import print_table, printing

WRITERS: Mapping[str, Sequence[JudgedKind]] = {
    "reference_writer": ("basic", "math", "creative_writing"),
    "rubric_writer": ("basic",),
}
"""The families whose references and rubrics may be written anew; others have the book's, and
criteria."""
ROLES = ("attacker", "checker", *WRITERS)
_EXAMPLES = ("Open QA", "Summarization")
"""Domains whose rubrics are shown; the first is the paper's own example."""
_QUERIES, _QUERY_CHARACTERS = 3, 500
"""How many of a domain's requests are shown, and how much of each."""


@click.command()
@click.argument("family", type=click.Choice(JUDGED_KINDS))
@click.option("--data", default="paper", show_default=True, help="paper, core or a file.")
@click.option("--responses", help="With --data paper: your file of responses, {id, response}.")
@asking.out_option
@click.option("--attacks", "--biases", "attacks", help="By commas; all of the family's without it.")
@click.option("--attacker", "--model", "attacker", help="Model that attacks.")
@click.option("--checker", help="Model that is asked whether each valid attack kept its limits.")
@click.option("--reference-writer", help="Model that writes every item's reference anew.")
@click.option("--rubric-writer", help="basic: model that writes every domain's rubric anew.")
@click.option("--domains", help="Only these domains, separated by commas.")
@click.option("--sources", help="With --data paper: data sets, separated by commas.")
@click.option("-n", "--limit", "n", type=click.IntRange(1), help="At most so many items.")
@click.option("--seed", default=0, show_default=True, help="Orders the items.")
@asking.host_options()
def attack(family: JudgedKind, out: Path, attacks: str | None, host: Host, **given: Any) -> None:
    """Attack the responses of FAMILY, so that judges can be tested with them.

    --attacker is any of Inspect's models, asked at temperature 0 for the features of the auxiliary
    information and then to work them into the response. Without it the attacks that the data bring
    are checked. Every attack is held to what can be counted, and asked for again up to twice with
    the reason; rejected ones are left out and counted. A --checker may reject what passed.

    Models are asked by evaluations of Inspect: run the same again to go on where it stopped; OUT is
    written anew. Each row says under `provenance` how everything was made. Use it with data=OUT.
    """
    roles = {role: model for role in ROLES if (model := given.pop(role)) is not None}
    if not roles.keys() & {"attacker", "checker"}:
        raise click.UsageError(
            "name the model that attacks with --attacker, or with --checker the one that checks "
            "the attacks of the data"
        )
    for role, families in WRITERS.items():
        if role in roles and family not in families:
            option = f"--{role.replace('_', '-')}"
            raise click.UsageError(f"{option} is for {', '.join(families)}, not for {family}")
    names = chosen_names("--attacks", attacks, attack_names(family))
    items = load_judged(family, **given).items
    host.open(roles)
    written, made = attacked(host, items, names)
    rows = _rows(written, made)
    asking.write_rows(out, rows)
    _show(names, made, len(items))
    click.echo(f"{out}: {len(rows)} of {len(items)} items")
    host.complain("requests")
    if all(each.rejected is not None for each in made):
        raise click.ClickException("no attack is valid; the table says why")


@dataclass(slots=True)
class Attack:
    """What became of an attack on an item."""

    item: JudgedItem
    name: str
    by: str = "model"
    """`model`, or who made it where the data bring it."""
    text: str | None = None
    """The attacked response."""
    rejected: str | None = None
    """Why it is left out."""
    failed: bool = False
    """Whether a model failed during it, or the data lack it: nothing can be said of it."""
    steps: list[Step[str]] = field(default_factory=list)
    """What models were asked, and what they replied."""


Written = Mapping[str, dict[str, Any]]
"""By the ids of items the records of how their `reference` and `rubric` were written."""


def attacked(
    host: Host, items: Sequence[JudgedItem], names: Sequence[str]
) -> tuple[Written, list[Attack]]:
    """Attacks the items, without those for which a writer failed; without a model in the role
    `attacker` the data's own attacks are taken."""
    written: Written = {item.id: {} for item in items}
    if "reference_writer" in host.models:
        references = {item.id: ask.reference_request(item) for item in items}
        items = _written(host, items, written, "reference", "id", references)
    if "rubric_writer" in host.models:
        rubrics = {item.domain: _rubric_request(item.domain, items) for item in items}
        items = _written(host, items, written, "rubric", "domain", rubrics)
    attacks = [Attack(item, name) for item in items for name in names]
    if "attacker" in host.models:
        # Extraction of the features, where an attack has one, then camouflage (appendix A.3).
        for each, step in _asked(host, "attack_features", "attacker", attacks, _extraction):
            each.rejected = step.refused and f"extraction: {step.refused}"
        for each, step in _asked(host, "attack", "attacker", attacks, _camouflage, _read_attack):
            each.text, each.rejected = step.value, step.refused
    else:
        for each in attacks:
            each.text = each.item.attacked.get(each.name)
            each.by = each.item.attackers.get(each.name, "data")
            each.failed = each.text is None
            each.rejected = each.text and check_attack(each.item, each.name, each.text)
    if "checker" in host.models:
        # An attack on which it gives no verdict is rejected: nobody vouches for it.
        for each, step in _asked(host, "attack_check", "checker", attacks, _check, objection):
            if step.value is None:
                each.rejected = f"the checker gave no verdict: {step.refused}"
            elif step.value:
                each.rejected = f"the checker rejected it: {step.value}"
    return written, [each for each in attacks if not each.failed]


def _rows(written: Written, attacks: Sequence[Attack]) -> list[dict[str, Any]]:
    """The items that have attacks, with the valid ones, and how everything was made."""
    rows = []
    for name, group in groupby(attacks, key=lambda each: each.item.id):
        made = list(group)
        told = {
            each.name: {
                "by": each.by,
                "rejected": each.rejected,
                "steps": [step.record for step in each.steps],
            }
            for each in made
        }
        own = {each: text for each, text in made[0].item.attacked.items() if each not in told}
        own |= {each.name: each.text for each in made if each.text and not each.rejected}
        row = judged_to_dict(replace(made[0].item, attacked=own))
        rows.append({**row, "provenance": {**written[name], "attacks": told}})
    return rows


def _written(
    host: Host,
    items: Sequence[JudgedItem],
    written: Written,
    what: str,
    by: str,
    requests: Mapping[str, str],
) -> list[JudgedItem]:
    """The items with what a writer makes by their id or domain (A.2), none of it if refused."""
    steps = host.ask(f"attack_{what}", f"{what}_writer", requests, lambda _, r: read_text(r))
    found = []
    for item in items:
        if (step := steps.get(getattr(item, by))) is not None:
            written[item.id][what] = step.record
            found.append(replace(item, **{what: step.value}))  # type: ignore[arg-type]
    return found


def _asked(
    host: Host,
    stage: str,
    role: str,
    attacks: Sequence[Attack],
    request: Callable[[Attack], str | None],
    read: Callable[[Attack, str], str] = lambda _, reply: read_text(reply),
) -> Iterator[tuple[Attack, Step[str]]]:
    """Asks about every attack that stands and has a request."""
    asked: dict[str, Attack] = {}
    requests: dict[str, str] = {}
    for each in attacks:
        if not each.failed and each.rejected is None:
            key = f"{each.item.id}/{each.name}"
            try:
                if (prompt := request(each)) is not None:
                    asked[key], requests[key] = each, prompt
            except ask.MissingAuxiliaryError as error:
                each.rejected = str(error)
    steps = host.ask(stage, role, requests, lambda key, reply: read(asked[key], reply))
    for key, each in asked.items():
        each.failed = key not in steps
        if not each.failed:
            each.steps.append(steps[key])
            yield each, steps[key]


def _rubric_request(domain: str, items: Sequence[JudgedItem]) -> str:
    examples = [rubric(each) for each in _EXAMPLES if each.casefold() != domain.casefold()]
    queries = [item.query[:_QUERY_CHARACTERS] for item in items if item.domain == domain]
    return ask.rubric_request(domain, examples, queries[:_QUERIES])


def _extraction(attack: Attack) -> str | None:
    return ask.extraction_request(attack.item, attack.name)


def _camouflage(attack: Attack) -> str:
    features = attack.steps[0].value if attack.steps else None
    return ask.attack_request(attack.item, attack.name, features)


def _check(attack: Attack) -> str:
    return ask.check_request(attack.item, attack.name, attack.text or "")


def _read_attack(attack: Attack, reply: str) -> str:
    item = attack.item
    text = read_attacked(reply, item, item.responses[attacked_response(item)])
    if (reason := check_attack(item, attack.name, text)) is not None:
        raise UnusableReplyError(reason)
    return text


def _show(names: Sequence[str], attacks: Sequence[Attack], items: int) -> None:
    """Print a table of the attacks and their rejections; a number in a reason is written N."""
    rows = []
    for name in names:
        own = (each.rejected for each in attacks if each.name == name)
        told = Counter(reason and kind_of(reason) for reason in own)
        valid, made = told.pop(None, 0), told.total()
        why = [f"{n} x {reason}" for reason, n in told.most_common()]
        if valid + made < items:
            why.append(f"{items - valid - made} not made yet: run the same again")
        rows.append((name, valid, made, "; ".join(why)))
    columns = ("attack", "valid", "rejected", "why")
    with printing(None) as console:
        print_table(console, columns, {"": rows}, numbers=columns[1:3])
