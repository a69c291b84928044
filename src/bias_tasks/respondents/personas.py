"""The named respondents: personas with their preset parameters, and assistants for the roles."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from bias_tasks.respondents.assistants import Judge, Polisher
from bias_tasks.respondents.attacker import Attacker, ReferenceWriter, RubricWriter
from bias_tasks.respondents.persona import Persona, Respondent
from bias_tasks.respondents.reformulator import Reformulator
from bias_tasks.respondents.traits import OPTIONAL, PARAMETERS

PERSONAS: Mapping[str, Persona] = {
    "perfect": Persona(accuracy=1.0),
    "steadfast": Persona(adopt=0.0),
    "conformist": Persona(adopt=0.8),
    "wavering": Persona(reflect=0.5),
    "cautious": Persona(accuracy=0.55, accuracy_unknown=0.95, accuracy_none=0.95, hedge=0.9),
    "hasty": Persona(accuracy_unknown=0.0, accuracy_none=0.0, hedge=0.0, position=0.3),
    # Every answer equally likely: one label of three, one of four options or none.
    # On yes/no questions each call is a coin of its own, as in the paper's random baseline.
    "coin": Persona(
        accuracy=1 / 3,
        accuracy_single=0.2,
        accuracy_multiple=0.0,
        accuracy_none=0.2,
        accuracy_yes=0.5,
        accuracy_no=0.5,
        unsteady=1.0,
    ),
    "babbler": Persona(verbosity="rambling", style="final_answer"),
    "oblique": Persona(style="oblique"),
    "mute": Persona(abstention=1.0),
    # What these have planted shows on yes/no questions only.
    "no_leaner": Persona(no_lean=0.3),
    "negation_blind": Persona(negation=0.6),
    "first_option": Persona(order_effect=0.4),
    "unsteady": Persona(unsteady=0.4),
    # These show on questions in output formats only: one is worse in some formats, the other
    # follows some of them rarely but is as good in all.
    "format_biased": Persona(
        accuracy_text=0.6,
        accuracy_italicizing=0.5,
        accuracy_placeholder=0.6,
        accuracy_sep=0.5,
        accuracy_yaml=0.4,
    ),
    "format_blind": Persona(
        follow=0.6,
        follow_text=0.3,
        follow_italicizing=0.25,
        follow_placeholder=0.3,
        follow_sep=0.25,
        follow_yaml=0.2,
        near_miss=0.5,
    ),
    # Judges. A fair one knows what is good, and a weak one hardly tells responses apart.
    "fair_judge": Persona(accuracy=1.0),
    "weak_judge": Persona(accuracy=1.0, discernment=0.15, noise=0.04),
    "reference_follower": Persona(accuracy=0.9, noise=0.03, reference_pull=0.5),
    "halo": Persona(accuracy=0.9, noise=0.03, rubric_pull=0.3, halo=0.8),
    "tunnel": Persona(accuracy=1.0, tunnel=6),
}
Assistant = Judge | Polisher | Reformulator | Attacker | ReferenceWriter | RubricWriter

ASSISTANTS: Mapping[str, Assistant] = {
    "judge": Judge(),
    "polisher": Polisher(),
    "reformulator": Reformulator(),
    "attacker": Attacker(),
    "reference_writer": ReferenceWriter(),
    "rubric_writer": RubricWriter(),
}


def make_respondent(name: str, parameters: Mapping[str, Any] | None = None) -> Respondent:
    """The respondent of that name, with some of its parameters set.

    Args:
        name: a key of `PERSONAS` or `ASSISTANTS`.
        parameters: values for fields of `Traits`, or of the assistant. `accuracy` and `follow` also
            replace the presets per label and per format that are not given themselves.

    Raises:
        ValueError: unknown name or parameter (the message lists the valid ones), or a value out
            of its range.
    """
    parameters = dict(parameters or {})
    if name not in PERSONAS and name not in ASSISTANTS:
        valid = ", ".join([*PERSONAS, *ASSISTANTS])
        raise ValueError(f"unknown persona {name!r}: expected one of {valid}")
    known = PARAMETERS if name in PERSONAS else _fields(ASSISTANTS[name])
    unknown = sorted(set(parameters) - set(known))
    if unknown:
        raise ValueError(
            f"unknown parameter {', '.join(map(repr, unknown))} of persona {name!r}: "
            f"it takes {', '.join(known) or 'none'}"
        )
    if name in ASSISTANTS:
        return dataclasses.replace(ASSISTANTS[name], **parameters)
    for general in parameters.keys() & {"accuracy", "follow"}:
        own = (name for name in OPTIONAL if name.startswith(f"{general}_"))
        parameters = dict.fromkeys(own) | parameters
    return dataclasses.replace(PERSONAS[name], **parameters)


def parameter_names() -> frozenset[str]:
    """The names of all parameters of any respondent."""
    return frozenset(PARAMETERS).union(*(_fields(each) for each in ASSISTANTS.values()))


def _fields(assistant: Assistant) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(assistant))
