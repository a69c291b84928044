"""`bias-tasks attack`: builds datasets of attacked responses for the tasks of ComplexEval."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from bias_tasks.commands.ask import (
    ATTEMPTS,
    TEMPERATURE,
    Host,
    Interview,
    Step,
    UnusableReplyError,
    host_options,
    out_option,
)
from bias_tasks.commands.files import write_json, write_rows
from bias_tasks.commands.replies import read_attacked, read_json, read_text
from bias_tasks.complex_eval.attacks.attack import attack as attack_by_rule
from bias_tasks.complex_eval.attacks.check import check_attack, kind_of
from bias_tasks.complex_eval.attacks.request import AttackError
from bias_tasks.complex_eval.data.converters import rubric
from bias_tasks.complex_eval.data.load import PAPER, load_judged
from bias_tasks.complex_eval.items import (
    JUDGED_KINDS,
    JudgedItem,
    JudgedKind,
    attack_names,
    attacked_response,
    judged_to_dict,
)
from bias_tasks.complex_eval.prompts.attacks import (
    MissingAuxiliaryError,
    again_request,
    attack_request,
    check_request,
    extraction_request,
    reference_request,
    rubric_request,
    template_hashes,
)
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import parsed_json, read_whole, stands_there
from bias_tasks.names import content_hash
from bias_tasks.parameters import chosen_names

if TYPE_CHECKING:
    from inspect_ai.model import Model

Role = Literal["attacker", "reference_writer", "rubric_writer", "checker"]
_SHOWN_CHARACTERS = 20_000
_EXAMPLES = ("Open QA", "Summarization")
"""Domains whose rubrics are shown; the first is the paper's own example."""
_QUERIES, _QUERY_CHARACTERS = 3, 500
"""How many of a domain's requests are shown, and how much of each."""
_LONGEST = 300
"""Characters of a checker's reason that are told."""


@click.command()
@click.argument("family", type=click.Choice(JUDGED_KINDS))
@click.option("--data", default="paper", show_default=True, help="paper, synthetic or a file.")
@click.option("--responses", help="With --data paper: your file of responses, {id, response}.")
@out_option
@click.option(
    "--attacks",
    "--biases",
    "attacks",
    help="What to attack toward or with, separated by commas; all of the family's without it.",
)
@click.option("--attacker", "--model", "attacker", help="Model that attacks.")
@click.option("--rule", is_flag=True, help="Attack by rule, which is crude; needs no model.")
@click.option("--checker", help="Model that is asked whether each valid attack kept what it must.")
@click.option("--reference-writer", help="Model that writes every item's reference anew.")
@click.option("--rubric-writer", help="basic: model that writes every domain's rubric anew.")
@click.option("--domains", help="Only these domains, separated by commas.")
@click.option("--sources", help="With --data paper: data sets, separated by commas.")
@click.option("-n", "--limit", "n", type=click.IntRange(1), help="At most so many items.")
@click.option("--seed", default=0, show_default=True, help="Orders the items; seeds the rules.")
@host_options
def attack(
    *,
    family: JudgedKind,
    data: str,
    responses: str | None,
    out: Path,
    attacks: str | None,
    attacker: str | None,
    rule: bool,
    checker: str | None,
    reference_writer: str | None,
    rubric_writer: str | None,
    domains: str | None,
    sources: str | None,
    n: int | None,
    seed: int,
    host: Host,
) -> None:
    """Attack the responses of FAMILY, so that judges can be tested with them.

    --attacker is any of Inspect's models, asked at temperature 0 for the features of the auxiliary
    information and then to work them into the response. Without it rules attack; for the paper's
    data only with --rule. Every attack is checked, and asked for again up to twice with the reason;
    rejected ones are left out and counted. A --checker may reject what passed, and says why.

    Models are asked by evaluations of Inspect: run the same again to go on where it stopped, or
    with other --attacks to add these. Beside OUT stand its manifest and the logs, which may be
    deleted when nothing is left to do. Use the dataset with data=OUT.
    """
    roles: dict[Role, str | None] = {
        "attacker": attacker,
        "reference_writer": reference_writer,
        "rubric_writer": rubric_writer,
        "checker": checker,
    }
    models = {role: model for role, model in roles.items() if model is not None}
    _check_roles(family, data, models, rule)
    names = chosen_names("--attacks", attacks, attack_names(family))
    loaded = load_judged(
        family, data, domains=domains, sources=sources, responses=responses, seed=seed, n=n
    )
    run: dict[str, Any] = {
        "family": family,
        "data": [dict(origin) for origin in loaded.provenance],
        "items": content_hash(*map(judged_to_dict, loaded.items)),
        "seed": seed,
        "models": models,
        "temperature": TEMPERATURE,
        "attempts": ATTEMPTS,
    }
    manifest = out.with_name(out.name + ".manifest.json")
    names = _with_earlier(out, manifest, run, names)
    run |= {"attacks": list(names), "prompts": template_hashes(family, names) if models else {}}
    interview = Interview(host)
    opened = {role: interview.model(role, model) for role, model in models.items()}
    made = Attacking(interview, opened, seed).attacked(loaded.items, names)
    failed = len(loaded.items) - sum(len(one.outcomes) == len(names) for one in made)
    results: dict[str, Any] = {
        "items": len(made),
        "failed": failed,
        "attacks": _counts(made, names),
    }
    rows = ({**judged_to_dict(one.item), "provenance": one.provenance()} for one in made)
    write_rows(out, rows)
    write_json(manifest, {"bias_tasks": version("bias-tasks"), "run": run, "results": results})
    _show(results["attacks"])
    click.echo(f"{out}: {len(made)} of {len(loaded.items)} items")
    interview.complain("requests")
    if not any(one.item.attacked for one in made):
        raise click.ClickException("no attack is valid; the table says why")


@dataclass(slots=True)
class Outcome:
    """What became of one attack."""

    by: Literal["rule", "model"]
    text: str | None = None
    """The attacked response; None where it was rejected."""
    rejected: str | None = None
    steps: list[Step[str]] = field(default_factory=list)
    """What models were asked, and what they replied."""

    def record(self) -> dict[str, Any]:
        """How the attack was made, as plain JSON values, for the provenance."""
        steps = [step.record() for step in self.steps]
        return {"by": self.by, "rejected": self.rejected, "steps": steps}


@dataclass(slots=True)
class AttackedItem:
    """An item, and what became of each attack on it."""

    item: JudgedItem
    """With what was written for it, and the valid attacks in `attacked`."""
    written: dict[str, Step[str]] = field(default_factory=dict)
    """How its `reference` and `rubric` were written, where models did."""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """By name of the attack."""

    def provenance(self) -> dict[str, Any]:
        """How everything was made, as plain JSON values."""
        return {
            **{name: step.record() for name, step in self.written.items()},
            "attacks": {name: outcome.record() for name, outcome in self.outcomes.items()},
        }


@dataclass(frozen=True, slots=True)
class Attacking:
    """Attacks items by rule or by a model, stage by stage."""

    interview: Interview
    models: Mapping[Role, Model]
    """By role; without an `attacker` rules attack."""
    seed: int = 0
    """Of the rules."""

    def attacked(self, items: Sequence[JudgedItem], names: Sequence[str]) -> list[AttackedItem]:
        """The items with their attacks, in their order.

        An attack during which a model failed is left out, and so is an item without any.
        """
        made = {item.id: AttackedItem(item) for item in items}
        self._write_references(made)
        self._write_rubrics(made)
        wanted = {f"{key}/{name}": (one, name) for key, one in made.items() for name in names}
        if "attacker" in self.models:
            outcomes = self._by_model(wanted)
        else:
            outcomes = {key: self._by_rule(one.item, name) for key, (one, name) in wanted.items()}
        if "checker" in self.models:
            self._check(wanted, outcomes)
        for key, one in made.items():
            found = {name: outcomes.get(f"{key}/{name}") for name in names}
            one.outcomes = {name: each for name, each in found.items() if each is not None}
            texts = {
                name: each.text for name, each in one.outcomes.items() if each.text is not None
            }
            kept = {n: text for n, text in one.item.attacked.items() if n not in one.outcomes}
            one.item = replace(one.item, attacked={**kept, **texts})
        return [one for one in made.values() if one.outcomes]

    def _write_references(self, made: dict[str, AttackedItem]) -> None:
        """A reference for each item (A.2); none where every reply was refused."""
        if "reference_writer" not in self.models:
            return
        requests = {key: reference_request(one.item) for key, one in made.items()}
        steps = self._ask("attack_reference", "reference_writer", requests)
        for key in list(made):
            if key in steps:
                item = replace(made[key].item, reference=steps[key].value)
                made[key] = AttackedItem(item, {"reference": steps[key]})
            else:
                del made[key]

    def _write_rubrics(self, made: dict[str, AttackedItem]) -> None:
        """A rubric for each domain (A.2); none where every reply was refused."""
        if "rubric_writer" not in self.models:
            return
        queries: defaultdict[str, list[str]] = defaultdict(list)
        for one in made.values():
            queries[one.item.domain].append(one.item.query[:_QUERY_CHARACTERS])
        requests = {
            domain: rubric_request(
                domain,
                [rubric(each) for each in _EXAMPLES if each.casefold() != domain.casefold()],
                shown[:_QUERIES],
            )
            for domain, shown in queries.items()
        }
        steps = self._ask("attack_rubric", "rubric_writer", requests)
        for key, one in list(made.items()):
            step = steps.get(one.item.domain)
            if step is None:
                del made[key]
            else:
                one.item = replace(one.item, rubric=step.value)
                one.written["rubric"] = step

    def _by_rule(self, item: JudgedItem, name: str) -> Outcome:
        try:
            text = attack_by_rule(item, name, seed=self.seed)
        except AttackError as error:
            return Outcome("rule", rejected=str(error))
        reason = check_attack(item, name, text)
        return Outcome("rule", text if reason is None else None, reason)

    def _by_model(self, wanted: Mapping[str, tuple[AttackedItem, str]]) -> dict[str, Outcome]:
        """Extraction of the features, where an attack has one, then camouflage (appendix A.3)."""
        outcomes: dict[str, Outcome] = {key: Outcome("model") for key in wanted}
        requests: dict[str, str] = {}
        for key, (one, name) in wanted.items():
            try:
                extraction = extraction_request(one.item, name)
            except MissingAuxiliaryError as error:
                outcomes[key].rejected = str(error)
            else:
                requests |= {} if extraction is None else {key: extraction}
        extracted = self._ask("attack_features", "attacker", requests, alike=True)
        for key in requests.keys() - extracted.keys():
            del outcomes[key]
        requests = {}
        for key, outcome in outcomes.items():
            step = extracted.get(key)
            outcome.steps += [] if step is None else [step]
            if step is not None and step.value is None:
                outcome.rejected = f"extraction: {step.refused}"
            if outcome.rejected is not None:
                continue
            one, name = wanted[key]
            try:
                requests[key] = attack_request(one.item, name, step.value if step else None)
            except MissingAuxiliaryError as error:
                outcome.rejected = str(error)

        def read(key: str, reply: str) -> str:
            one, name = wanted[key]
            text = read_attacked(reply, one.item, one.item.responses[attacked_response(one.item)])
            reason = check_attack(one.item, name, text)
            if reason is not None:
                raise UnusableReplyError(reason)
            return text

        steps = self._ask("attack", "attacker", requests, read)
        for key in requests:
            if key not in steps:
                del outcomes[key]
                continue
            outcome, step = outcomes[key], steps[key]
            outcome.steps.append(step)
            outcome.text = step.value
            outcome.rejected = step.refused if step.value is None else None
        return outcomes

    def _check(
        self, wanted: Mapping[str, tuple[AttackedItem, str]], outcomes: dict[str, Outcome]
    ) -> None:
        """Has the checker say of each attack whether it says what the response said.

        One on which it gives no verdict in three replies is rejected: nobody vouches for it.
        """
        requests = {
            key: check_request(wanted[key][0].item, outcome.text)
            for key, outcome in outcomes.items()
            if outcome.text is not None
        }
        steps = self._ask("attack_check", "checker", requests, lambda _, reply: _verdict(reply))
        for key in requests:
            if key not in steps:
                del outcomes[key]
                continue
            outcome, step = outcomes[key], steps[key]
            outcome.steps.append(step)
            if step.value is None:
                outcome.rejected = f"the checker gave no verdict: {step.refused}"
            elif step.value:
                outcome.rejected = f"the checker rejected it: {step.value}"
            outcome.text = None if outcome.rejected else outcome.text

    def _ask(
        self,
        stage: str,
        role: Role,
        requests: Mapping[str, str],
        read: Any = lambda _, reply: read_text(reply),
        *,
        alike: bool = False,
    ) -> dict[str, Step[str]]:
        model = self.models[role]
        return self.interview.ask(stage, role, model, requests, read, _again, alike=alike)


def _again(request: str, reply: str, reason: str) -> str:
    return again_request(request, reply[:_SHOWN_CHARACTERS], reason)


def _verdict(reply: str) -> str:
    """The reason of a rejection, empty for an attack that is kept."""
    value = read_json(reply)
    kept = value.get("kept") if isinstance(value, dict) else None
    reason = value.get("reason", "") if isinstance(value, dict) else None
    if not isinstance(kept, bool) or not isinstance(reason, str):
        raise UnusableReplyError('it is not {"kept": true or false, "reason": "..."}')
    return "" if kept else " ".join(reason.split())[:_LONGEST] or "no reason given"


def _with_earlier(
    out: Path, manifest: Path, run: Mapping[str, Any], names: Sequence[str]
) -> tuple[str, ...]:
    """The attacks, with those of earlier runs that were the same but for their attacks.

    Raises:
        DataError: the dataset was made by another run or by somebody else.
    """
    made = stands_there(out, "write")
    if not stands_there(manifest):
        if made:
            raise DataError(
                f"{out} is there without its manifest {manifest.name}: give another --out"
            )
        return tuple(names)
    known = attack_names(run["family"])
    try:
        stored = parsed_json(read_whole(manifest))["run"]
        differing = sorted(name for name, value in run.items() if stored[name] != value)
        earlier = [*names, *stored["attacks"]]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{manifest} is no manifest that can be read: give another --out"
        ) from error
    if differing:
        raise DataError(
            f"{out} was made with another {', '.join(differing)}: give another --out, or the "
            "arguments it was made with"
        )
    return tuple(name for name in known if name in earlier)


def _check_roles(family: JudgedKind, data: str, models: Mapping[Role, str], rule: bool) -> None:
    """The paper's data are attacked by rule only where that is asked for."""
    if rule and "attacker" in models:
        raise click.UsageError("--rule attacks without a model: leave out it or --attacker")
    if data == PAPER and "attacker" not in models and not rule:
        raise click.UsageError(
            "the paper's data are attacked by a model: name it with --attacker, or take crude "
            "attacks by --rule"
        )
    if "rubric_writer" in models and family != "basic":
        raise click.UsageError(f"--rubric-writer is for basic: {family} has criteria, or none")
    if "reference_writer" in models and family == "role_playing":
        raise click.UsageError("--reference-writer: the reference of role playing is the book's")


def _counts(made: Sequence[AttackedItem], names: Sequence[str]) -> dict[str, Any]:
    """For each attack: valid, rejected, rejection_rate (rejected over both; None without any),
    reasons, each with the number of its rejections, and lacking (items not attacked so, since a
    model failed). A number in a reason is written N."""
    counts = {}
    for name in names:
        told = [one.outcomes[name].rejected for one in made if name in one.outcomes]
        reasons = Counter(kind_of(reason) for reason in told if reason is not None)
        rejected = reasons.total()
        counts[name] = {
            "valid": len(told) - rejected,
            "rejected": rejected,
            "rejection_rate": rejected / len(told) if told else None,
            "reasons": dict(reasons.most_common()),
            "lacking": len(made) - len(told),
        }
    return counts


def _show(attacks: Mapping[str, Mapping[str, Any]]) -> None:
    """Print a table of the attacks and their rejections."""
    from rich.console import Console
    from rich.table import Table

    table = Table("attack", "valid", "rejected", "why")
    for name, counts in attacks.items():
        why = "\n".join(f"{n} x {reason}" for reason, n in counts["reasons"].items())
        if counts["lacking"]:
            why += f"\n{counts['lacking']} not made yet: run the same again"
        table.add_row(name, str(counts["valid"]), str(counts["rejected"]), why)
    Console().print(table)
