"""Requests many texts from a model: an evaluation of Inspect, whose samples are the requests.

Replies are kept in a log in `--log-dir`. A command that is repeated with the same folder takes from
the logs what they have, and requests the rest, so that an interrupted run is resumed. Retries,
limits, concurrency and progress are Inspect's.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.error import HTTPError
from urllib.request import urlopen

import click
import yaml

from bias_tasks.commands.batch_requests.model_failures import MAX_FAILURES, ModelError, guard
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.data.files import file_exists, open_to_replace
from bias_tasks.messages import format_count, truncate
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.results.text import hide_secrets, join_texts
from bias_tasks.unicode_text import encodable

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model
    from inspect_ai.solver import Solver

LIMITS = ("max_connections", "max_retries", "timeout")
"""Inspect's settings of how requests are sent, each an option of the commands."""
MAX_ATTEMPTS = 3
"""Requests for one text until a reply is usable."""
MAX_CHARACTERS = 200_000
"""Characters of a reply that are kept, and one more that shows that it is longer."""
RETRY_TEMPLATE = """\
To the request below you replied:

{reply}

That can't be used: {reason}. Reply again, as the request asks.

{request}"""
_MAX_QUOTED = 20_000
"""Characters of a rejected reply that the model sees again."""
_ADDRESS_TIMEOUT = 10
"""Seconds after which a model's address without a response is reported."""
_REPLIES = "replies"
"""Name of the replies in a sample's store."""
_STAGE = "stage"
"""Name in the log's metadata of which requests to which model it holds."""
_FROM_1 = click.IntRange(1)

T = TypeVar("T")
Command = Callable[..., Any]


class UnusableReplyError(ValueError):
    """A reply is not what was requested; the message says why."""


class InterruptedRunError(click.ClickException):
    """A user stopped an evaluation; the message says what is kept."""

    exit_code = 130  # as shells have it after Ctrl-C


@dataclass(frozen=True, slots=True)
class RequestResult(Generic[T]):
    """The replies to one request, of up to `MAX_ATTEMPTS` attempts.

    `record` has `role`, `model`, the first `prompt`, and `replies`: for each its `output`, and why
    it was `refused`, or None.
    """

    record: JsonObject
    last: str
    """The last reply."""
    refused: str | None
    """Why the last reply was refused; None if it is usable."""
    value: T | None
    """What was parsed from it; None if it was refused."""


@dataclass(slots=True)
class InspectRunner:
    """Inspect with the options of a command, and the models that it calls."""

    log_dir: Path
    model_args: JsonObject
    model_base_url: str | None
    limits: JsonObject
    """The settings of `LIMITS`."""
    display: str | None
    models: dict[str, Model] = field(default_factory=dict, init=False)
    """By role."""
    failures: list[str] = field(default_factory=list, init=False)
    """A message for each request during which the model failed."""

    def open(self, names: Mapping[str, str], **config: Any) -> None:
        """Load models at temperature 0.

        Args:
            names: Inspect's name of each model, by role.
            **config: Further settings of generation.

        Raises:
            ModelError: As in `model`.
        """
        config |= {"temperature": 0.0, "attempt_timeout": self.limits["timeout"], **self.limits}
        self.models |= {role: self.model(role, name, **config) for role, name in names.items()}

    def model(self, role: str, name: str, **config: Any) -> Model:
        """Return a model by Inspect's name.

        Args:
            role: What the model is used for, for the error.
            name: Inspect's name.
            **config: Settings of generation.

        Raises:
            ModelError: The model cannot be used.
        """
        from inspect_ai.model import GenerateConfig, get_model

        try:
            model = get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command
                name,
                config=GenerateConfig(**config),
                base_url=self.model_base_url,
                memoize=False,
                **self.model_args,
            )
        except Exception as error:  # the errors of providers share no base class
            message = _one_line(error)
            raise ModelError(f"cannot use the model {name} as {role}: {message}") from error
        guard(model)
        return model

    def ask(
        self,
        stage: str,
        role: str,
        requests: Mapping[str, str],
        parse: Callable[[str, str], T],
        retry_template: str = RETRY_TEMPLATE,
    ) -> dict[str, RequestResult[T]]:
        """Return the replies to requests; those that a log in the folder has are not requested.

        Requests with the same text are sent once.

        Args:
            stage: Name of the evaluation.
            role: The model's role.
            requests: The texts by id.
            parse: Returns what the reply to the request of an id holds, or raises an
                UnusableReplyError, after which the request is repeated.
            retry_template: Template of repeated requests, with `request`, `reply` and `reason`.

        Returns:
            Results by id in the order of the requests, without those during which the model failed.

        Raises:
            ModelError: The evaluation was interrupted.
        """
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset, Sample
        from inspect_ai.log import read_eval_log

        from bias_tasks.results.frameworks import inspect_log

        if not requests:
            return {}
        model = str(self.models[role])
        address = hide_secrets({"url": self.model_base_url, "args": self.model_args})
        run = {"stage": stage, "role": role, "model": model, **address}
        replies: dict[str, list[str]] = {}
        for log in self.logs(_STAGE, run):
            replies |= _read_replies(read_eval_log(log.location))
        pending: dict[str, str] = {}
        for name, prompt in requests.items():
            if prompt not in replies:
                pending.setdefault(prompt, name)
        if pending:
            samples = [Sample(id=name, input=prompt) for prompt, name in pending.items()]
            solver = _repeat_until_usable(role, parse, retry_template)
            log = self.eval(
                Task(MemoryDataset(samples), name=stage, solver=solver),
                "none/none",
                model_roles={role: self.models[role]},
                max_samples=self.limits["max_connections"],
                fail_on_error=MAX_FAILURES,
                metadata={_STAGE: run},
            )
            replies |= _read_replies(log)
            if n_failed := len(pending.keys() - replies.keys()):
                self.failures += [inspect_log.describe_cause(log)] * n_failed
        return {
            name: _parse_replies(
                {"role": role, "model": model, "prompt": prompt},
                replies[prompt],
                partial(parse, name),
            )
            for name, prompt in requests.items()
            if prompt in replies
        }

    def check(self, logs: Iterable[EvalLog], advice: str = "") -> None:
        """Raise a ModelError if an evaluation did not finish; the message has the first reason.

        Args:
            logs: The logs.
            advice: What else the user can do, as the end of the sentence.
        """
        from bias_tasks.results.frameworks.inspect_log import describe_cause

        failed = [log for log in logs if log.status != "success"]
        if failed:
            names = join_texts([f"{log.eval.task} of {log.eval.model}" for log in failed], 3)
            raise ModelError(
                f"did not finish: {names}. The first reason: {describe_cause(failed[0])} - "
                f"Finished work is kept in {self.log_dir}: repeat the command to resume{advice}"
            )

    def raise_failures(self, thing: str) -> None:
        """Raise a ClickException if the model failed.

        Args:
            thing: What was requested, in the singular.
        """
        if self.failures:
            raise click.ClickException(
                f"The model failed for {format_count(len(self.failures), thing)}. The first error: "
                f"{self.failures[0]}\nFinished work is kept in {self.log_dir}: repeat the command "
                "to resume."
            )

    def logs(self, key: str, value: Mapping[str, object]) -> Iterator[EvalLog]:
        """Yield the logs in the folder, without samples, whose metadata have a value.

        Args:
            key: Name in the metadata.
            value: The value.
        """
        from inspect_ai.log import list_eval_logs, read_eval_log

        for info in list_eval_logs(str(self.log_dir), descending=False):
            try:
                log = read_eval_log(info, header_only=True)
            except Exception:  # noqa: BLE001 - a truncated file raises any error
                continue  # its requests are repeated
            if (log.eval.metadata or {}).get(key) == value:
                yield log

    def eval(self, task: Task, model: str | Model, **options: Any) -> EvalLog:
        """Run a task with Inspect, and log it in the folder.

        Args:
            task: The task.
            model: The model.
            **options: Further arguments of `inspect_ai.eval`.
        """
        from inspect_ai import eval as inspect_eval

        options |= {"log_dir": str(self.log_dir), "display": self.display}
        [log] = self.run_evaluations(lambda: inspect_eval(task, model=model, **options), 1)
        return log

    def run_evaluations(self, start: Callable[[], list[EvalLog]], n: int) -> list[EvalLog]:
        """Run evaluations that write to the folder, and return their logs.

        Args:
            start: Runs them. Inspect returns without the logs of interrupted ones.
            n: Number of evaluations.

        Raises:
            InterruptedRunError: They were interrupted.
        """
        from inspect_ai import log as inspect_logs

        earlier = {info.name for info in inspect_logs.list_eval_logs(str(self.log_dir))}
        try:
            logs = start()
            if len(logs) == n and all(log.status != "cancelled" for log in logs):
                return logs
        except KeyboardInterrupt:
            pass
        finally:
            logging.disable(logging.NOTSET)
        kept = planned = 0
        for info in inspect_logs.list_eval_logs(str(self.log_dir)):
            if info.name not in earlier:
                spec = inspect_logs.read_eval_log(info, header_only=True).eval
                planned += len(spec.dataset.sample_ids or ()) * (spec.config.epochs or 1)
                summaries = inspect_logs.read_eval_log_sample_summaries(info)
                kept += sum(summary.completed and not summary.error for summary in summaries)
        raise InterruptedRunError(
            f"interrupted; {kept:,} of {format_count(planned, 'sample')} are kept in "
            f"{self.log_dir}: repeat the command to resume"
        )


def inspect_options(
    *, log_dir: str | None = None, display: str | None = "plain"
) -> Callable[[Command], Command]:
    """Return a decorator that gives a command Inspect's options, as its argument `runner`.

    Errors are reported in one line.

    Args:
        log_dir: Default folder of the logs; None for a folder next to the command's option `out`.
        display: Default of Inspect's display.
    """
    names = ("log_dir", "model_args", "model_base_url", "display")

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**values: Any) -> Any:
            options = {name: values.pop(name) for name in names}
            options["limits"] = {name: values.pop(name) for name in LIMITS}
            if options["log_dir"] is None:
                options["log_dir"] = values["out"].with_name(f"{values['out'].name}.logs")
            from bias_tasks.solvers.inspect_api import PrerequisiteError

            try:
                _check_address(options["model_base_url"])
                return command(runner=InspectRunner(**options), **values)
            except (ValueError, OSError, ModelError, PrerequisiteError, ImportError) as error:
                raise click.ClickException(_one_line(error)) from error

        folder = click.Path(path_type=Path, file_okay=False)
        displays = click.Choice(["full", "rich", "plain", "none"])
        log_help = "Folder of Inspect's logs; repeat the command with it to resume."
        log_default = None if log_dir else "OUT.logs"
        display_default = None if display else "Inspect's, full"
        display_help = "How Inspect shows its progress."
        url_help = "Base URL for the model API."
        connections = ("--max-connections", "--connections", "max_connections")
        connections_help = "Maximum number of concurrent connections to the model API."
        retries_help = "Maximum number of times to retry a request."
        for add_option in (
            click.option(
                "--display",
                type=displays,
                default=display,
                show_default=display_default,
                help=display_help,
            ),
            click.option(
                "--timeout", type=_FROM_1, default=600, help="Seconds per request, with retries."
            ),
            click.option("--max-retries", type=click.IntRange(0), default=3, help=retries_help),
            click.option(*connections, type=_FROM_1, default=10, help=connections_help),
            click.option(
                "--model-base-url", metavar="URL", show_default="the provider's", help=url_help
            ),
            click.option(
                "--log-dir", type=folder, default=log_dir, show_default=log_default, help=log_help
            ),
            name_value_option("-M", "model_args", "Argument of the models, such as seed=1."),
        ):
            run = add_option(run)
        return run

    return decorate


def name_value_option(flag: str, name: str, help_text: str) -> Command:
    """Return an option NAME=VALUE that can be repeated, as a mapping. By default it is empty.

    Args:
        flag: The option.
        name: The command's argument.
        help_text: Help of the option.
    """

    def parse(context: click.Context, parameter: click.Parameter, raw: tuple[str, ...]) -> Any:
        try:
            return parse_name_values(flag, raw)
        except ValueError as error:
            raise click.ClickException(str(error)) from error

    return click.option(
        flag,
        name,
        multiple=True,
        metavar="NAME=VALUE",
        callback=parse,
        show_default="none",
        help=f"{help_text} May be repeated.",
    )


def parse_name_values(option: str, settings: Sequence[str]) -> JsonObject:
    """Return the values of an option NAME=VALUE.

    Args:
        option: The option, for the error.
        settings: Texts NAME=VALUE, whose values are YAML.

    Raises:
        ValueError: A text has another form, or its value is not YAML.
    """
    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise ValueError(f"{option} {truncate(setting)}: expected NAME=VALUE")
        try:
            values[name] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # such as a 13th month
            raise ValueError(
                f"{option} {truncate(setting)}: the value is not valid YAML"
            ) from error
    return values


def read_existing(out: Path, read: Callable[[Path], list[T]]) -> list[T]:
    """Return the rows that an earlier run wrote to a file, or a person edited.

    Args:
        out: The file, which may not exist or be empty.
        read: Returns the rows of a file.
    """
    return read(out) if file_exists(out, "write") and out.stat().st_size else []


def write_rows(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Replace a file by JSON objects, one per line.

    Lone halves of surrogate pairs, which answers in a log may have, are written as JSON's escapes.

    Args:
        path: The file.
        rows: The objects.

    Raises:
        DataError: The file cannot be written. It is complete or unchanged.
    """
    with open_to_replace(path) as stream:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False) + "\n"
            stream.write(line.encode(errors="backslashreplace"))


def _check_jsonl(context: click.Context, parameter: click.Parameter, value: Path) -> Path:
    if value.suffix.lower() != ".jsonl":
        raise click.BadParameter(f"{value} must end in .jsonl, the format that is written")
    return value


def model_option(help_text: str, *names: str, required: bool = False) -> Command:
    """Return an option whose value is a model.

    Args:
        help_text: What the model does, without a full stop.
        names: The option and, if it differs, the name of the argument.
        required: Whether the command needs a model. Otherwise the default is none.
    """
    return click.option(
        *names,
        metavar="MODEL",
        required=required,
        show_default=None if required else "none",
        help=f"{help_text}, by Inspect's name.",
    )


names_option = partial(click.option, metavar="NAME,...", show_default="all")
limit_option = partial(click.option, "-n", "--limit", type=_FROM_1, show_default="all")
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    callback=_check_jsonl,
    help="JSONL file to write.",
)


def _check_address(url: str | None) -> None:
    """Report an address without a response before Inspect retries requests to it.

    Raises:
        ModelError: Nothing listens at the address.
    """
    try:
        if url is not None:
            urlopen(url, timeout=_ADDRESS_TIMEOUT).close()
    except (HTTPError, HTTPException):
        pass  # any response means that a server is there
    except TimeoutError:
        click.echo(
            f"no response from {hide_secrets(url)} for {_ADDRESS_TIMEOUT} s; continuing", err=True
        )
    except OSError as error:
        problem = f"no response from {hide_secrets(url)} ({error})"
        raise ModelError(f"{problem}: start the server, or correct the URL") from error


def _one_line(error: Exception) -> str:
    """Return an error as one line without Inspect's markup."""
    from rich.markup import render

    from bias_tasks.solvers.inspect_api import PrerequisiteError

    message = str(error)
    if isinstance(error, PrerequisiteError):
        message = render(str(error.message)).plain
    return " ".join(message.split())


def _repeat_until_usable(
    role: str, parse: Callable[[str, str], Any], retry_template: str
) -> Solver:
    """Return a solver that repeats a request until its reply is usable."""
    from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
    from inspect_ai.solver import Generate, TaskState, solver

    @solver("attempts")
    def attempts() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            request, replies = state.input_text, []
            prompt = request
            for _ in range(MAX_ATTEMPTS):
                output = await get_model(role=role, required=True).generate(prompt)
                visible_text = encodable(VisibleText.from_text(output.completion).text)
                text = visible_text[: MAX_CHARACTERS + 1]
                replies.append(text)
                try:
                    parse(str(state.sample_id), text)
                    break
                except UnusableReplyError as error:
                    quoted = text[:_MAX_QUOTED]
                    prompt = retry_template.format(request=request, reply=quoted, reason=error)
            state.store.set(_REPLIES, replies)
            state.output = ModelOutput.from_content(str(output.model), text)
            state.messages.append(ChatMessageAssistant(content=text))
            return state

        return solve

    return attempts()


def _read_replies(log: EvalLog) -> dict[str, list[str]]:
    """Return the replies of answered samples by request."""
    return {
        str(sample.input): sample.store[_REPLIES]
        for sample in log.samples or ()
        if sample.error is None and _REPLIES in sample.store
    }


def _parse_replies(
    record: JsonObject, replies: Iterable[str], parse: Callable[[str], T]
) -> RequestResult[T]:
    """Return the result of a request up to its first usable reply."""
    record["replies"], last, refused, value = [], "", None, None
    for last in replies:
        try:
            value, refused = parse(last), None
        except UnusableReplyError as error:
            refused = str(error)
        record["replies"].append({"output": last, "refused": refused})
        if refused is None:
            break
    return RequestResult(record, last, refused, value)
