"""What tasks, solvers and scorers need of Inspect: errors that it shows as one message, checked
arguments, and the settings that affect answers. Names of Inspect that are not public are imported
here and nowhere else."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from inspect_ai._eval.loader import load_tasks as load_tasks
from inspect_ai._eval.task.constants import TASK_FILE_ATTR as TASK_FILE_ATTR
from inspect_ai._util.answer import answer_index as answer_index
from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
from inspect_ai._util.registry import RegistryInfo
from inspect_ai._util.registry import has_registry_params as has_registry_params
from inspect_ai._util.registry import is_registry_object as is_registry_object
from inspect_ai._util.registry import registry_add as registry_add
from inspect_ai._util.registry import registry_log_name as registry_log_name
from inspect_ai._util.registry import registry_params as registry_params
from inspect_ai._util.registry import registry_unqualified_name as registry_unqualified_name
from inspect_ai.log._samples import sample_active as sample_active
from inspect_ai.model import GenerateConfig, ModelOutput, get_model
from inspect_ai.model._generate_config import active_generate_config as active_generate_config
from inspect_ai.solver._chain import unroll as unroll
from inspect_ai.solver._multiple_choice import parse_answers as parse_answers
from inspect_ai.solver._task_state import sample_state as sample_state
from inspect_ai.util import registry_info
from rich.markup import escape

from bias_tasks.contract.outcomes import can_be_cut
from bias_tasks.contract.parameters import parameter_from_annotation
from bias_tasks.data.errors import DataError
from bias_tasks.parsing.parsed_answer import StopReason
from bias_tasks.unicode_text import encodable
from bias_tasks.user_names import unknown_name

_STOP_REASONS: Mapping[str, StopReason] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
    "tool_calls": "tool_call",
}
Factory = TypeVar("Factory", bound=Callable[..., Any])

TRANSPORT = frozenset({
    "max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections",
    "adaptive_connections", "batch", "cache_prompt",
})  # fmt: skip
"""Generation settings that affect how requests are sent, and not what is answered."""


class _MessageError(PrerequisiteError, ValueError):
    """An error that Inspect shows as one message without a traceback."""

    def __init__(self, message: str) -> None:
        ValueError.__init__(self, message)
        PrerequisiteError.__init__(self, escape(message))


class TaskError(_MessageError):
    """A task cannot be built from its parameters or data."""


class SolverError(_MessageError):
    """A solver cannot be built from its arguments."""


class SimulatedModelError(_MessageError):
    """A simulated model does not exist, or does not have the given parameters."""


class ScorerError(PrerequisiteError):
    """A scorer cannot be built from its arguments.

    It is not a ValueError, because `inspect score` would then look for another scorer.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))


def active_token_limit() -> int | None:
    """Return the token limit of the evaluated model's answers; None if the run sets none."""
    return active_generate_config().max_tokens or get_model().config.max_tokens


def read_stop_reason(output: ModelOutput, max_tokens: int | None = None) -> StopReason:
    """Return why generation ended.

    Args:
        output: A model's output.
        max_tokens: The token limit, if it is known.
    """
    if output.message.tool_calls:  # Some providers report `stop`.
        return "tool_call"
    used = output.usage.output_tokens if output.usage else 0
    # Reasoning outside of the text counts, too.
    length = max(used, len(encodable(str(output.message.content)).encode()))
    if output.stop_reason == "max_tokens" and not can_be_cut(length, max_tokens):
        return "stop"
    return _STOP_REASONS.get(output.stop_reason, "stop")


def checks_arguments(error: Callable[[str], Exception]) -> Callable[[Factory], Factory]:
    """Return a decorator with which a solver or scorer rejects wrong arguments.

    Arguments are checked by their annotations, as parameters of tasks are.

    Args:
        error: Makes the exception for a wrong argument, and for a ValueError or DataError that the
            decorated function raises itself.
    """

    def decorate(factory: Factory) -> Factory:
        name, signature = factory.__name__, inspect.signature(factory, eval_str=True)
        arguments = signature.parameters
        allows_any = any(
            argument.kind is inspect.Parameter.VAR_KEYWORD for argument in arguments.values()
        )

        @wraps(factory)
        def checked(*positional: Any, **named: Any) -> Any:
            try:
                unknown = [] if allows_any else [name for name in named if name not in arguments]
                if unknown:
                    raise ValueError(unknown_name(unknown[0], arguments, f"parameters of {name}"))
                bound = _bind(signature, positional, named)
                for argument, value in bound.arguments.items():
                    declared = arguments[argument]
                    parameter = parameter_from_annotation(
                        argument, declared.annotation, declared.default
                    )
                    if parameter is not None:
                        bound.arguments[argument] = parameter.check(value)
                return factory(*bound.args, **bound.kwargs)
            except (ValueError, DataError) as cause:
                raise error(f"{name}: {cause}") from cause

        return cast(Factory, checked)

    return decorate


def _bind(
    signature: inspect.Signature, positional: tuple[Any, ...], named: dict[str, object]
) -> inspect.BoundArguments:
    try:
        return signature.bind(*positional, **named)
    except TypeError as cause:
        names = ", ".join(signature.parameters)
        raise ValueError(f"{cause}; its parameters are {names}") from cause


def answer_settings(*configs: GenerateConfig) -> dict[str, object]:
    """Return the generation settings that affect answers, as plain JSON values.

    Args:
        *configs: Settings; later ones take precedence.
    """
    settings: dict[str, object] = {}
    for config in configs:
        settings |= config.model_dump(mode="json", exclude_none=True)
    return {name: value for name, value in settings.items() if name not in TRANSPORT}


def register_logged_name(factory: Callable[..., Any]) -> None:
    """Register a scorer or metric also by its name without the package.

    Inspect logs a scorer, and a metric of a run from a file, by that name alone, and `inspect score
    LOG` looks for it.
    """

    @wraps(factory)  # the registry accepts functions only
    def build(*positional: Any, **named: Any) -> Any:
        return factory(*positional, **named)

    info, name = registry_info(factory), registry_unqualified_name(factory)
    registry_add(build, RegistryInfo(type=info.type, name=name, metadata=info.metadata))
