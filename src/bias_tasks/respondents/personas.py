"""The named respondents: personas with their preset parameters, and assistants for the roles."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from bias_tasks.data.files import read_yaml
from bias_tasks.data.sources import LazyTable
from bias_tasks.names import did_you_mean
from bias_tasks.respondents.assistants import Judge, Polisher
from bias_tasks.respondents.attacker import Attacker, ReferenceWriter, RubricWriter
from bias_tasks.respondents.author import Author
from bias_tasks.respondents.calculator import Calculator
from bias_tasks.respondents.persona import Persona, Respondent
from bias_tasks.respondents.reformulator import Reformulator
from bias_tasks.respondents.rewriter import Rewriter
from bias_tasks.respondents.traits import GENERAL, OWN_IN_WORDS, PARAMETERS

PERSONAS: Mapping[str, Persona] = LazyTable(
    lambda: {
        name: Persona().replaced(planted)
        for name, planted in read_yaml(__package__, "personas").items()
    }
)
Assistant = (
    Judge
    | Polisher
    | Reformulator
    | Rewriter
    | Attacker
    | ReferenceWriter
    | RubricWriter
    | Calculator
    | Author
)

ASSISTANTS: Mapping[str, Assistant] = {
    "judge": Judge(),
    "polisher": Polisher(),
    "reformulator": Reformulator(),
    "rewriter": Rewriter(),
    "attacker": Attacker(),
    "reference_writer": ReferenceWriter(),
    "rubric_writer": RubricWriter(),
    "calculator": Calculator(),
    "author": Author(),
}


def make_respondent(name: str, parameters: Mapping[str, Any] | None = None) -> Respondent:
    """The respondent of that name, with some of its parameters set.

    Args:
        name: a key of `PERSONAS` or `ASSISTANTS`.
        parameters: values of a persona's parameters (see `Traits`), or of the assistant's fields.

    Raises:
        ValueError: unknown name or parameter (the message lists the valid ones), or a value out
            of its range.
    """
    parameters = dict(parameters or {})
    if name not in PERSONAS and name not in ASSISTANTS:
        valid = [*PERSONAS, *ASSISTANTS]
        near = did_you_mean([name], valid)
        raise ValueError(f"unknown persona {name!r}{near}: expected one of {', '.join(valid)}")
    known = PARAMETERS if name in PERSONAS else _fields(ASSISTANTS[name])
    unknown = sorted(set(parameters) - set(known))
    if unknown:
        taken = GENERAL if name in PERSONAS else known
        more = f", {OWN_IN_WORDS}" if name in PERSONAS else ""
        raise ValueError(
            f"unknown parameter {', '.join(map(repr, unknown))} of persona {name!r}"
            f"{did_you_mean(unknown, known)}: it takes {', '.join(taken) or 'none'}{more}"
        )
    if name in ASSISTANTS:
        return dataclasses.replace(ASSISTANTS[name], **parameters)
    return PERSONAS[name].replaced(parameters)


def _fields(assistant: Assistant) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(assistant) if field.init)
