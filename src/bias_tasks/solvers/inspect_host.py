"""What tasks, solvers and scorers need of Inspect: errors that it shows as one message, arguments
checked as parameters are, and which of its settings matter to an answer.

Whatever somebody types on Inspect's command line ends in one of these errors where it can't be
taken.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from inspect_ai._util.error import (
    PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public name; shown bare
)
from inspect_ai.model import GenerateConfig
from rich.markup import escape

from bias_tasks.data.errors import DataError
from bias_tasks.names import unknown_name
from bias_tasks.parameters import parameter_of

Factory = TypeVar("Factory", bound=Callable[..., Any])


class _ShownError(PrerequisiteError, ValueError):
    """One message, and no traceback."""

    def __init__(self, message: str) -> None:
        ValueError.__init__(self, message)
        PrerequisiteError.__init__(self, escape(message))


class TaskError(_ShownError):
    """A task that can't be built from its parameters or data."""


class SolverError(_ShownError):
    """A solver that can't be made of its arguments."""


class RespondentError(_ShownError):
    """A simulated respondent that there is none of, or that takes no such parameters."""


class ScorerError(PrerequisiteError):
    """A scorer that can't be made of its arguments.

    It is no ValueError, which `inspect score` takes for a scorer to be looked for elsewhere.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))


def refusing(error: Callable[[str], Exception]) -> Callable[[Factory], Factory]:
    """Has the factory of a solver or a scorer refuse wrong arguments with `error`.

    Arguments are checked as the parameters of tasks are, by what they are annotated with. What the
    factory itself refuses, with a ValueError or a DataError, becomes `error` too.
    """

    def decorate(factory: Factory) -> Factory:
        name = factory.__name__
        signature = inspect.signature(factory, eval_str=True)

        @wraps(factory)
        def checked(*values: Any, **named: Any) -> Any:
            try:
                bound = _bound(name, signature, values, named)
                return factory(*bound.args, **bound.kwargs)
            except (ValueError, DataError) as refused:
                raise error(f"{name}: {refused}") from refused

        return cast(Factory, checked)

    return decorate


def _bound(
    name: str, signature: inspect.Signature, values: tuple[Any, ...], named: Mapping[str, Any]
) -> inspect.BoundArguments:
    """The arguments by name, each one checked.

    Raises:
        ValueError: there is no such parameter, one lacks its argument, or an argument is wrong.
    """
    known = signature.parameters
    if not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values()):
        for each in named:
            if each not in known:
                raise ValueError(unknown_name(each, known, f"parameters of {name}"))
    try:
        bound = signature.bind(*values, **named)
    except TypeError as error:
        raise ValueError(f"{error}; its parameters are {', '.join(known)}") from error
    for each, value in bound.arguments.items():
        parameter = parameter_of(each, known[each].annotation, known[each].default)
        if parameter is not None:
            bound.arguments[each] = parameter.check(value)
    return bound


TRANSPORT = frozenset(
    {
        "max_retries",
        "timeout",
        "attempt_timeout",
        "stream_idle_timeout",
        "max_connections",
        "adaptive_connections",
        "batch",
        "cache_prompt",
    }
)
"""Settings of generation that say how requests are sent, not what is answered."""


def answer_settings(*configs: GenerateConfig) -> dict[str, Any]:
    """What of settings of generation matters to an answer, as plain JSON values; of several that
    hold for it later ones come first."""
    dumped = (config.model_dump(mode="json", exclude_none=True) for config in configs)
    merged = {name: value for each in dumped for name, value in each.items()}
    return {name: value for name, value in merged.items() if name not in TRANSPORT}
