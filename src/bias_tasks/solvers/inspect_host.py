"""What tasks, solvers and scorers need of Inspect: errors that it shows as one message, arguments
checked as parameters are, and which of its settings matter to an answer. Names of Inspect that are
not public are imported here and nowhere else."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from inspect_ai._eval.loader import load_tasks as load_tasks
from inspect_ai._eval.task.constants import TASK_FILE_ATTR as TASK_FILE_ATTR
from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
from inspect_ai._util.registry import RegistryInfo, registry_add
from inspect_ai._util.registry import has_registry_params as has_registry_params
from inspect_ai._util.registry import is_registry_object as is_registry_object
from inspect_ai._util.registry import registry_log_name as registry_log_name
from inspect_ai._util.registry import registry_params as registry_params
from inspect_ai._util.registry import registry_unqualified_name as registry_unqualified_name
from inspect_ai.log._samples import sample_active as sample_active
from inspect_ai.model import GenerateConfig
from inspect_ai.model._generate_config import active_generate_config as active_generate_config
from inspect_ai.scorer import Scorer
from inspect_ai.solver._chain import unroll as unroll
from inspect_ai.solver._task_state import sample_state as sample_state
from inspect_ai.util import registry_info
from rich.markup import escape

from bias_tasks.contract.parameters import parameter_of
from bias_tasks.data.errors import DataError
from bias_tasks.names import unknown_name

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
    """A scorer that can't be made of its arguments; no ValueError, at which `inspect score` looks
    for a scorer elsewhere."""

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))


def refusing(error: Callable[[str], Exception]) -> Callable[[Factory], Factory]:
    """Has the factory of a solver or a scorer refuse wrong arguments with `error`, by what they are
    annotated with, or by a ValueError or a DataError of its own."""

    def decorate(factory: Factory) -> Factory:
        name, signature = factory.__name__, inspect.signature(factory, eval_str=True)
        known = signature.parameters
        any_name = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())

        @wraps(factory)
        def checked(*values: Any, **named: Any) -> Any:
            unknown = [] if any_name else [each for each in named if each not in known]
            try:
                if unknown:
                    raise ValueError(unknown_name(unknown[0], known, f"parameters of {name}"))
                try:
                    bound = signature.bind(*values, **named)
                except TypeError as wrong:
                    raise ValueError(f"{wrong}; its parameters are {', '.join(known)}") from wrong
                for each, value in bound.arguments.items():
                    parameter = parameter_of(each, known[each].annotation, known[each].default)
                    if parameter is not None:
                        bound.arguments[each] = parameter.check(value)
                return factory(*bound.args, **bound.kwargs)
            except (ValueError, DataError) as refused:
                raise error(f"{name}: {refused}") from refused

        return cast(Factory, checked)

    return decorate


TRANSPORT = frozenset({
    "max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections",
    "adaptive_connections", "batch", "cache_prompt",
})  # fmt: skip
"""Settings of generation that say how requests are sent, not what is answered."""


def answer_settings(*configs: GenerateConfig) -> dict[str, Any]:
    """What of settings of generation matters to an answer, as plain JSON values; later settings
    come before earlier ones."""
    dumped = (config.model_dump(mode="json", exclude_none=True) for config in configs)
    merged = {name: value for each in dumped for name, value in each.items()}
    return {name: value for name, value in merged.items() if name not in TRANSPORT}


def known_as_logged(factory: Callable[..., Scorer]) -> None:
    """Have a registered scorer found by its name without its package, which is all that the host
    logs and `inspect score LOG` looks for."""

    @wraps(factory)  # the host calls functions alone
    def made(*values: Any, **named: Any) -> Scorer:
        return factory(*values, **named)

    info, name = registry_info(factory), registry_unqualified_name(factory)
    registry_add(made, RegistryInfo(type="scorer", name=name, metadata=info.metadata))
