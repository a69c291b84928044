"""Asks a model for many texts: an evaluation of Inspect, whose samples are the requests.

What was replied is in a log in `--log-dir`. A command that is run again with the same folder takes
from the logs what they have, and asks for the rest; so a run that was stopped goes on. Retries,
limits, concurrency and progress are Inspect's.
"""

from __future__ import annotations

import json
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

from bias_tasks.data.files import replacing, stands_there
from bias_tasks.names import cut, encodable
from bias_tasks.parsing.reasoning import VisibleText

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model
    from inspect_ai.solver import Solver

LIMITS = ("max_connections", "max_retries", "timeout")
ATTEMPTS = 3
MOST_CHARACTERS = 200_000
"""Of a reply, and one more that tells of the rest, are kept beside the log's own record of it."""
MOST_FAILURES = 5
"""Requests that may fail before an evaluation ends, so that a dead server isn't asked on and on."""
AGAIN = """\
To the request below you replied:

{reply}

That can't be used: {reason}. Reply again, as the request asks.

{request}"""
_SHOWN = 20_000
"""Characters of a reply that are shown to the model again."""
_WAIT = 10
"""Seconds after which a model's address that gives no answer is told."""
_SAID = "said"
_ASKED = "asked"

T = TypeVar("T")
Command = Callable[..., Any]


def cli_values(option: str, settings: Sequence[str]) -> dict[str, Any]:
    """The values of an option given as NAME=VALUE, read as YAML; a ValueError for anything else."""
    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise ValueError(f"{option} {cut(setting)}: expected NAME=VALUE")
        try:
            values[name] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # such as a 13th month
            raise ValueError(f"{option} {cut(setting)}: the value can't be read") from error
    return values


class UnusableReplyError(ValueError):
    """The reply is not what was asked for; the message says why."""


class ModelError(Exception):
    """A model that can't be used, or is no longer to be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """What a role was asked for, and what it replied, in up to `ATTEMPTS` attempts.

    `record` has `role`, `model`, the first `prompt`, and of each of the `replies` its `output` and
    why it was `refused`, or None.
    """

    record: dict[str, Any]
    last: str
    """The last reply."""
    refused: str | None
    """Why it was refused; None where it can be used."""
    value: T | None
    """What was read of it; None where it was refused."""


@dataclass(slots=True)
class Host:
    """Inspect with the options of a command, and the models that are asked through it."""

    log_dir: Path
    model_args: Mapping[str, Any]
    model_base_url: str | None
    limits: Mapping[str, Any]
    """Inspect's settings of how a model is asked: those of `LIMITS`."""
    display: str | None
    models: dict[str, Model] = field(default_factory=dict, init=False)
    """Who is asked, by role."""
    failures: list[str] = field(default_factory=list, init=False)
    """A message for each request during which the model failed."""

    def open(self, names: Mapping[str, str], **config: Any) -> None:
        """Have the models of these names asked, by role, at temperature 0; errors as `model`."""
        config |= {"temperature": 0.0, "attempt_timeout": self.limits["timeout"], **self.limits}
        self.models |= {role: self.model(role, name, **config) for role, name in names.items()}

    def model(self, role: str, name: str, **config: Any) -> Model:
        """The model of a name that Inspect knows; a ModelError where it can't be used."""
        from inspect_ai.model import GenerateConfig, get_model

        try:
            return get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command
                name,
                config=GenerateConfig(**config),
                base_url=self.model_base_url,
                memoize=False,
                **self.model_args,
            )
        except Exception as error:  # providers share no base class of their errors
            raise ModelError(f"cannot use the model {name} as {role}: {_line(error)}") from error

    def ask(
        self,
        stage: str,
        role: str,
        requests: Mapping[str, str],
        read: Callable[[str, str], T],
        again: str = AGAIN,
    ) -> dict[str, Step[T]]:
        """Ask for each request; those that a log in the folder has of this model are not asked.

        Requests that are worded alike are made once. `read` makes of an id and the reply to its
        request what the reply holds; where that raises UnusableReplyError, the role is asked
        `again`, made of `request`, `reply` and `reason`. A ModelError where somebody stopped the
        evaluation `stage`.

        Returns:
            What was replied, by id, in the requests' order; without those where the model failed.
        """
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset, Sample
        from inspect_ai.log import read_eval_log

        if not requests:
            return {}
        model = str(self.models[role])
        host = {"url": self.model_base_url, "args": dict(self.model_args)}
        asked = {"stage": stage, "role": role, "model": model, **host}
        found: dict[str, list[str]] = {}
        for log in self.logs(_ASKED, asked):
            found |= _said(read_eval_log(log.location))
        wanted: dict[str, str] = {}
        for name, prompt in requests.items():
            if prompt not in found:
                wanted.setdefault(prompt, name)
        if wanted:
            samples = [Sample(id=name, input=prompt) for prompt, name in wanted.items()]
            log = self.eval(
                Task(MemoryDataset(samples), name=stage, solver=_attempts(role, read, again)),
                "none/none",
                model_roles={role: self.models[role]},
                max_samples=self.limits["max_connections"],
                fail_on_error=MOST_FAILURES,
                metadata={_ASKED: asked},
            )
            if log.status == "cancelled":
                raise ModelError(f"stopped; run the same again to go on with {self.log_dir}")
            found |= _said(log)
            self.failures += [_failure(log) for prompt in wanted if prompt not in found]
        steps = {}
        for name, prompt in requests.items():
            if prompt in found:
                record = {"role": role, "model": model, "prompt": prompt}
                steps[name] = _step(record, found[prompt], partial(read, name))
        return steps

    def check(self, logs: Iterable[EvalLog]) -> None:
        """Raise a ModelError where an evaluation did not finish."""
        failed = [f"{log.eval.task} of {log.eval.model}" for log in logs if log.status != "success"]
        if failed:
            raise ModelError(
                f"did not finish: {', '.join(failed)}. The same command goes on where it stopped; "
                f"the logs say why (`inspect view --log-dir {self.log_dir}`)"
            )

    def complain(self, things: str) -> None:
        """End with a ClickException where the model failed."""
        if self.failures:
            raise click.ClickException(
                f"The model failed during {len(self.failures)} {things}, first so: "
                f"{self.failures[0]}\nWhat was made is kept in {self.log_dir}: "
                "run the same again to go on."
            )

    def logs(self, key: str, value: Mapping[str, Any]) -> Iterator[EvalLog]:
        """The logs in the folder whose metadata have the value under the key, without samples."""
        from inspect_ai.log import list_eval_logs, read_eval_log

        for info in list_eval_logs(str(self.log_dir), descending=False):
            try:
                log = read_eval_log(info, header_only=True)
            except Exception:  # noqa: BLE001 - a cut file breaks its readers in any way
                continue  # what it held is asked again
            if (log.eval.metadata or {}).get(key) == value:
                yield log

    def eval(self, task: Task, model: str | Model, **more: Any) -> EvalLog:
        """Have Inspect ask a task, and log it in the folder."""
        from inspect_ai import eval as inspect_eval

        shown: Any = self.display
        [log] = inspect_eval(task, model=model, log_dir=str(self.log_dir), display=shown, **more)
        return log


def host_options(
    *, log_dir: str | None = None, display: str | None = "plain"
) -> Callable[[Command], Command]:
    """Gives a command Inspect's options beside its own, as `host`, and tells errors in a line.

    Logs are kept in `log_dir` by default; without it beside the command's option `out`.
    """
    names = ("log_dir", "model_args", "model_base_url", "display")

    def with_options(command: Command) -> Command:
        @wraps(command)
        def hosted(**given: Any) -> Any:
            options = {name: given.pop(name) for name in names}
            options["limits"] = {name: given.pop(name) for name in LIMITS}
            if options["log_dir"] is None:
                options["log_dir"] = given["out"].with_name(f"{given['out'].name}.logs")
            from bias_tasks.solvers.inspect_host import PrerequisiteError

            try:
                _check_address(options["model_base_url"])
                return command(host=Host(**options), **given)
            except (ValueError, ModelError, PrerequisiteError, ImportError) as error:
                raise click.ClickException(_line(error)) from error

        folder = click.Path(path_type=Path, file_okay=False)
        shown = click.Choice(["full", "rich", "plain", "none"])
        kept = "Inspect's logs; the same command goes on with them."
        kept += "" if log_dir else "  [default: OUT.logs]"
        requests = ("--max-connections", "--connections", "max_connections")
        option = partial(click.option, show_default=True)
        for each in (
            option("--display", type=shown, default=display, help="Inspect's."),
            option("--timeout", type=_FROM_1, default=600, help="Seconds, with retries."),
            option("--max-retries", type=click.IntRange(0), default=3, help="Of a request."),
            option(*requests, type=_FROM_1, default=10, help="Requests at once."),
            option("--model-base-url", help="Where the models are served."),
            option("--log-dir", type=folder, default=log_dir, help=kept),
            named_values("-M", "model_args", "Argument of the models."),
        ):
            hosted = each(hosted)
        return hosted

    return with_options


def named_values(flag: str, name: str, told: str) -> Command:
    """An option NAME=VALUE that can be given several times, as a mapping."""

    def read(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> Any:
        try:
            return cli_values(flag, given)
        except ValueError as error:
            raise click.ClickException(str(error)) from error

    return click.option(flag, name, multiple=True, metavar="NAME=VALUE", callback=read, help=told)


def earlier(out: Path, read: Callable[[Path], list[T]]) -> list[T]:
    """The rows that an earlier run wrote to a file, or a person edited; none of an empty one."""
    return read(out) if stands_there(out, "write") and out.stat().st_size else []


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of one JSON object a line anew, whole; half of a surrogate pair, as answers in a
    log may hold, is written as JSON's escape. A DataError where the file can't be written."""
    with replacing(path) as stream:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False) + "\n"
            stream.write(line.encode(errors="backslashreplace"))


def _jsonl(context: click.Context, parameter: click.Parameter, value: Path) -> Path:
    if value.suffix.lower() != ".jsonl":
        raise click.BadParameter(f"{value} must end in .jsonl, which is what is written")
    return value


out_option = click.option(
    "--out", type=click.Path(path_type=Path), required=True, callback=_jsonl, help="JSONL to write."
)
_FROM_1 = click.IntRange(1)


def _check_address(url: str | None) -> None:
    """Tell of an address that gives no answer, before Inspect asks it again and again; a ModelError
    where nothing listens."""
    try:
        if url is not None:
            urlopen(url, timeout=_WAIT).close()
    except (HTTPError, HTTPException):
        pass  # something answers
    except TimeoutError:
        click.echo(f"nothing has answered at {url} for {_WAIT} s; going on", err=True)
    except OSError as error:
        raise ModelError(f"nothing answers at {url} ({error})") from error


def _line(error: Exception) -> str:
    """An error on one line, without the host's markup."""
    from rich.markup import render

    from bias_tasks.solvers.inspect_host import PrerequisiteError

    told = str(error)
    if isinstance(error, PrerequisiteError):
        told = render(str(error.message)).plain
    return " ".join(told.split())


def _attempts(role: str, read: Callable[[str, str], Any], again: str) -> Solver:
    """Asks a role until a reply can be used."""
    from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
    from inspect_ai.solver import Generate, TaskState, solver
    from tenacity import RetryError

    @solver("attempts")
    def attempts() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            request, said = state.input_text, []
            prompt = request
            for _ in range(ATTEMPTS):
                try:
                    output = await get_model(role=role, required=True).generate(prompt)
                except RetryError as error:
                    error.reraise()  # what the last request failed with says more
                text = encodable(VisibleText.from_text(output.completion).text)[
                    : MOST_CHARACTERS + 1
                ]
                said.append(text)
                try:
                    read(str(state.sample_id), text)
                    break
                except UnusableReplyError as error:
                    prompt = again.format(request=request, reply=text[:_SHOWN], reason=error)
            state.store.set(_SAID, said)
            state.output = ModelOutput.from_content(str(output.model), text)
            state.messages.append(ChatMessageAssistant(content=text))
            return state

        return solve

    return attempts()


def _said(log: EvalLog) -> dict[str, list[str]]:
    """What was replied in answered samples, by request."""
    answered = (each for each in log.samples or () if each.error is None and _SAID in each.store)
    return {str(each.input): each.store[_SAID] for each in answered}


def _failure(log: EvalLog) -> str:
    """What the first failed sample, or the evaluation itself, ended with, on one line."""
    errors = [sample.error for sample in log.samples or ()] + [log.error]
    told = next((each.message for each in errors if each is not None), f"it was {log.status}")
    return " ".join(told.split())


def _step(record: dict[str, Any], said: Iterable[str], read: Callable[[str], T]) -> Step[T]:
    """The step as far as the first reply that can be used."""
    record["replies"], last, refused, value = [], "", None, None
    for last in said:
        try:
            value, refused = read(last), None
        except UnusableReplyError as error:
            refused = str(error)
        record["replies"].append({"output": last, "refused": refused})
        if refused is None:
            break
    return Step(record, last, refused, value)
