"""`bias-tasks attack`: builds datasets of attacked responses for the tasks of ComplexEval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.attack.manifest import (
    ATTACKS,
    begin,
    earlier_replies,
    finish,
    replies_path,
)
from bias_tasks.commands.attack.replies import Replies
from bias_tasks.commands.attack.roles import Role
from bias_tasks.commands.attack.run import AttackedItem, attack_items
from bias_tasks.commands.attack.summary import results, show
from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.commands.model_calls.attempts import ATTEMPTS
from bias_tasks.commands.model_calls.model import (
    TEMPERATURE,
    Limits,
    ModelFailedError,
    open_model,
)
from bias_tasks.commands.model_calls.options import (
    connections_option,
    out_option,
    retries_option,
    timeout_option,
)
from bias_tasks.commands.model_calls.workers import what_failed
from bias_tasks.complex_eval.data.load import PAPER, load_judged
from bias_tasks.complex_eval.items import (
    JUDGED_KINDS,
    JudgedItem,
    JudgedKind,
    attack_names,
    judged_to_dict,
)
from bias_tasks.complex_eval.prompts.attacks import template_hashes
from bias_tasks.data.errors import DataError
from bias_tasks.data.loading import Loaded
from bias_tasks.names import content_hash, did_you_mean


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
@connections_option
@retries_option
@timeout_option
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
    connections: int,
    max_retries: int,
    timeout: int,
) -> None:
    """Attack the responses of FAMILY, so that judges can be tested with them.

    --attacker is any of Inspect's models, asked at temperature 0 for the features of the auxiliary
    information and then to work them into the response. Without it rules attack; for the paper's
    data only with --rule. Every attack is checked, and asked for again up to twice with the reason;
    rejected ones are left out and counted. A --checker may reject what passed, and says why.

    What models reply is kept at once: run the same again to go on where it stopped, or with other
    --attacks to add these. Beside OUT stand its manifest and the replies, which may be deleted when
    nothing is left to do. Use the dataset with data=OUT.
    """
    roles: dict[Role, str | None] = {
        "attacker": attacker,
        "reference_writer": reference_writer,
        "rubric_writer": rubric_writer,
        "checker": checker,
    }
    named = {role: model for role, model in roles.items() if model is not None}
    _check_attacker(data, attacker, rule)
    _check_writers(family, named)
    names = _names(family, attacks)
    try:
        loaded = load_judged(
            family, data, domains=domains, sources=sources, responses=responses, seed=seed, n=n
        )
        run = _described(family, loaded, names, named, seed)
        limits = Limits(connections, max_retries, timeout)
        models = {role: open_model(role, name, limits) for role, name in named.items()}
        with alone(out, replies_path(out)):
            run = begin(out, run)
            told, there = earlier_replies(out)
            every = [n for n in attack_names(family) if n in {*run[ATTACKS], *there}]
            run = {**run, ATTACKS: every}
            made, failures = attack_items(
                loaded.items,
                names,
                models,
                Replies(replies_path(out), told),
                seed=seed,
                connections=connections,
                earlier=[name for name in every if name not in names],
            )
            found = results(made, every, failures)
            finish(out, run, made, found)
    except (DataError, ModelFailedError) as error:
        raise click.ClickException(str(error)) from error
    show(found["attacks"])
    click.echo(f"{out}: {len(made)} of {len(loaded.items)} items")
    _complain(loaded.items, made, failures)


def _described(
    family: JudgedKind,
    loaded: Loaded[JudgedItem],
    names: Sequence[str],
    models: Mapping[Role, str],
    seed: int,
) -> dict[str, Any]:
    """All that decides what is made."""
    return {
        "family": family,
        "data": [dict(origin) for origin in loaded.provenance],
        "items": content_hash(*map(judged_to_dict, loaded.items)),
        "attacks": list(names),
        "seed": seed,
        "models": dict(models),
        "temperature": TEMPERATURE,
        "attempts": ATTEMPTS,
        "prompts": template_hashes(family, names) if models else {},
    }


def _names(family: JudgedKind, attacks: str | None) -> tuple[str, ...]:
    known = attack_names(family)
    if attacks is None:
        return known
    chosen = [name.strip() for name in attacks.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in known]
    if unknown or not chosen:
        found = ", ".join(unknown) or "nothing"
        near = did_you_mean(unknown, known)
        raise click.UsageError(f"{found}{near}: the attacks of {family} are {', '.join(known)}")
    return tuple(name for name in known if name in chosen)


def _check_attacker(data: str, attacker: str | None, rule: bool) -> None:
    """The paper's data are attacked by rule only where that is asked for."""
    if rule and attacker is not None:
        raise click.UsageError("--rule attacks without a model: leave out it or --attacker")
    if data == PAPER and attacker is None and not rule:
        raise click.UsageError(
            "the paper's data are attacked by a model: name it with --attacker, or take crude "
            "attacks by --rule"
        )


def _check_writers(family: JudgedKind, models: Mapping[Role, str]) -> None:
    if "rubric_writer" in models and family != "basic":
        raise click.UsageError(f"--rubric-writer is for basic: {family} has criteria, or none")
    if "reference_writer" in models and family == "role_playing":
        raise click.UsageError("--reference-writer: the reference of role playing is the book's")


def _complain(
    items: Sequence[JudgedItem], made: Sequence[AttackedItem], failures: Sequence[str]
) -> None:
    """Ends with an error where items are missing, or where no attack is valid."""
    if failures:
        raise click.ClickException(
            f"{len(failures)} of {len(items)} items are not attacked yet. "
            + what_failed(failures, "items")
        )
    if not any(one.item.attacked for one in made):
        raise click.ClickException("no attack is valid; the table says why")
