"""Asks a model for many texts: an evaluation of Inspect, whose samples are the requests.

What was replied is in a log in `--log-dir`. A command that is run again with the same folder takes
from the logs what they have, and asks for the rest; so a run that was stopped goes on. Retries,
limits, concurrency and progress are Inspect's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import click

from bias_tasks.data.errors import DataError
from bias_tasks.names import cli_values, encodable
from bias_tasks.reading.reasoning import Spoken

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import Model
    from inspect_ai.solver import Solver

ATTEMPTS = 3
TEMPERATURE = 0.0
MOST_CHARACTERS = 200_000
"""Of a reply, and one more that tells of the rest, are kept beside the log's own record of it."""
MOST_FAILURES = 5
"""Requests that may fail before an evaluation ends, so that a dead server isn't asked on and on."""
_REPLIES = "replies"
_ASKED = "asked"

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])


class UnusableReplyError(ValueError):
    """The reply is not what was asked for; the message says why."""


class ModelError(Exception):
    """A model that can't be used, or is no longer to be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Host:
    """Inspect's options, as they stand on the command line."""

    log_dir: Path
    model_args: Mapping[str, Any] = field(default_factory=dict)
    model_base_url: str | None = None
    connections: int = 10
    """Requests to a model at once."""
    max_retries: int = 3
    """How often a request is made again that got no answer."""
    timeout: int = 600
    """Seconds for a request with its retries."""
    display: str = "plain"


class Reply(NamedTuple):
    """One attempt's."""

    output: str
    refused: str | None
    """Why it can't be used, or None."""


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """What a role was asked for, and what it replied, in up to `ATTEMPTS` attempts."""

    role: str
    model: str
    prompt: str
    """The first attempt's; the later ones show the last reply and why it was refused."""
    replies: tuple[Reply, ...]
    value: T | None
    """What was read of the last reply; None where every one was refused."""

    @property
    def refused(self) -> str:
        """Why the last reply was refused."""
        return str(self.replies[-1].refused)

    def record(self) -> dict[str, Any]:
        """The step as plain JSON values, for the provenance."""
        replies = [reply._asdict() for reply in self.replies]
        return {"role": self.role, "model": self.model, "prompt": self.prompt, "replies": replies}


@dataclass(slots=True)
class Interview:
    """The requests of one command's run, stage by stage."""

    host: Host
    failures: list[str] = field(default_factory=list)
    """A message for each request during which the model failed."""

    def model(self, role: str, name: str) -> Model:
        """The model that is asked in a role, by any of Inspect's names.

        Raises:
            ModelError: there is no such model, or it can't be used (no key, no package).
        """
        from inspect_ai.model import GenerateConfig, get_model

        import_module("bias_tasks._registry")  # the simulated models, where nothing is installed
        config = GenerateConfig(
            temperature=TEMPERATURE,
            max_connections=self.host.connections,
            max_retries=self.host.max_retries,
            timeout=self.host.timeout,
            attempt_timeout=self.host.timeout,
        )
        try:
            return get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command
                name,
                config=config,
                base_url=self.host.model_base_url,
                memoize=False,
                **self.host.model_args,
            )
        except Exception as error:  # providers share no base class of their errors
            told = " ".join(str(error).split())
            raise ModelError(f"cannot use the model {name} as {role}: {told}") from error

    def ask(
        self,
        stage: str,
        role: str,
        model: Model,
        requests: Mapping[str, str],
        read: Callable[[str, str], T],
        again: Callable[[str, str, str], str],
        *,
        alike: bool = False,
    ) -> dict[str, Step[T]]:
        """Ask for each request; those that a log in the folder has of this model are not asked.

        Args:
            stage: names the evaluation.
            role: of the model.
            model: who is asked.
            requests: prompts by the ids of their samples.
            read: what a reply to the request of an id holds; raises UnusableReplyError where that
                can't be used.
            again: the next prompt, made of the request, a reply and why that can't be used.
            alike: whether requests that are worded alike are one; what is read then depends on
                nothing else.

        Returns:
            What was replied, by id, in the requests' order; without those where the model failed.

        Raises:
            ModelError: somebody stopped the evaluation.
        """
        found: dict[str, EvalSample] = {}
        _take(found, self._logged(stage, role, model) if requests else (), requests, alike)
        wanted = [(name, text) for name, text in requests.items() if name not in found]
        if alike:
            wanted = [(name, text) for text, name in {t: n for n, t in reversed(wanted)}.items()]
        if wanted:
            log = self._eval(stage, role, model, dict(wanted), _attempts(role, read, again))
            if log.status == "cancelled":
                raise ModelError(f"stopped; run the same again to go on with {self.host.log_dir}")
            _take(found, log.samples or (), requests, alike)
            self._note_failures(log, sum(name not in found for name, _ in wanted))
        return {
            name: _step(role, str(model), prompt, found[name], partial(read, name))
            for name, prompt in requests.items()
            if name in found
        }

    def complain(self, things: str, command: str = "the same") -> None:
        """End with an error where the model failed.

        Raises:
            click.ClickException: it did.
        """
        if self.failures:
            raise click.ClickException(
                f"The model failed during {len(self.failures)} {things}, first so: "
                f"{self.failures[0]}\nWhat was made is kept in {self.host.log_dir}: "
                f"run {command} again to go on."
            )

    def _logged(self, stage: str, role: str, model: Model) -> Iterator[EvalSample]:
        """The samples of former logs of the same stage and model."""
        from inspect_ai.log import list_eval_logs, read_eval_log

        if not self.host.log_dir.is_dir():
            return
        asked = self._asked(stage, role, model)
        for info in list_eval_logs(str(self.host.log_dir), descending=False):
            if (read_eval_log(info, header_only=True).eval.metadata or {}).get(_ASKED) == asked:
                yield from read_eval_log(info).samples or ()

    def _asked(self, stage: str, role: str, model: Model) -> dict[str, Any]:
        """By what a log is known whose answers may be taken."""
        host = {"url": self.host.model_base_url, "args": dict(self.host.model_args)}
        return {"stage": stage, "role": role, "model": str(model), **host}

    def _eval(
        self, stage: str, role: str, model: Model, requests: Mapping[str, str], solver: Solver
    ) -> EvalLog:
        from inspect_ai import Task
        from inspect_ai import eval as inspect_eval
        from inspect_ai.dataset import MemoryDataset, Sample

        samples = [Sample(id=name, input=prompt) for name, prompt in requests.items()]
        [log] = inspect_eval(
            Task(name=stage, dataset=MemoryDataset(samples), solver=solver),
            model="none/none",
            model_roles={role: model},
            log_dir=str(self.host.log_dir),
            display=self.host.display,  # type: ignore[arg-type]
            max_samples=self.host.connections,
            fail_on_error=MOST_FAILURES,
            log_samples=True,
            metadata={_ASKED: self._asked(stage, role, model)},
        )
        return log

    def _note_failures(self, log: EvalLog, lacking: int) -> None:
        samples = log.samples or ()
        told = [str(sample.error.message) for sample in samples if sample.error is not None]
        told += [log.error.message if log.error is not None else f"it was {log.status}"]
        self.failures += [" ".join(told[0].split())] * lacking


def host_options(command: Command) -> Callable[..., Any]:
    """A command that takes Inspect's options beside its own, as `host`, and tells errors in a line.

    It has an option `out`: logs are kept beside that.
    """

    @wraps(command)
    def hosted(
        *, out: Path, model_args: tuple[str, ...], log_dir: Path | None, **given: Any
    ) -> Any:
        names = ("model_base_url", "connections", "max_retries", "timeout", "display")
        options = {name: given.pop(name) for name in names}
        try:
            values = cli_values("-M", model_args)
            folder = log_dir or out.with_name(f"{out.name}.logs")
            return command(out=out, host=Host(folder, values, **options), **given)
        except (ValueError, DataError, ModelError) as error:
            raise click.ClickException(str(error)) from error

    found: Callable[..., Any] = hosted
    for option in reversed(_OPTIONS):
        found = option(found)
    return found


def _jsonl(context: click.Context, parameter: click.Parameter, value: Path) -> Path:
    if value.suffix.lower() != ".jsonl":
        raise click.BadParameter(f"{value} must end in .jsonl, which is what is written")
    return value


out_option = click.option(
    "--out", type=click.Path(path_type=Path), required=True, callback=_jsonl, help="JSONL to write."
)
connections_option = click.option(
    "--max-connections",
    "connections",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Requests to a model at once.",
)
_OPTIONS = (
    click.option(
        "--log-dir",
        type=click.Path(path_type=Path, file_okay=False),
        help="Inspect's logs; the same command goes on with them.  [default: OUT.logs]",
    ),
    click.option(
        "-M", "model_args", multiple=True, metavar="NAME=VALUE", help="Argument of the models."
    ),
    click.option("--model-base-url", help="Where the models are served."),
    connections_option,
    click.option(
        "--max-retries",
        type=click.IntRange(0),
        default=3,
        show_default=True,
        help="How often a request is made again that gets no answer, or one to come again later.",
    ),
    click.option(
        "--timeout",
        type=click.IntRange(1),
        default=600,
        show_default=True,
        help="Seconds for a request with its retries.",
    ),
    click.option(
        "--display",
        type=click.Choice(["full", "rich", "plain", "none"]),
        default="plain",
        show_default=True,
        help="Inspect's.",
    ),
)


def _attempts(
    role: str, read: Callable[[str, str], Any], again: Callable[[str, str, str], str]
) -> Solver:
    """Asks a role until a reply can be used, each time with the reason why the last one can't."""
    from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
    from inspect_ai.solver import Generate, TaskState, solver
    from tenacity import RetryError

    @solver("attempts")
    def attempts() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            request = prompt = state.input_text
            made: list[Reply] = []
            while len(made) < ATTEMPTS and (not made or made[-1].refused is not None):
                try:
                    asked = get_model(role=role, required=True)
                    output = await asked.generate(prompt)
                except RetryError as error:
                    error.reraise()  # what the last request failed with says more
                said = encodable(Spoken.of(output.completion).text)[: MOST_CHARACTERS + 1]
                try:
                    read(str(state.sample_id), said)
                    made.append(Reply(said, None))
                except UnusableReplyError as error:
                    made.append(Reply(said, str(error)))
                    prompt = again(request, said, str(error))
            state.store.set(_REPLIES, [list(reply) for reply in made])
            state.output = ModelOutput.from_content(str(output.model), made[-1].output)
            state.messages.append(ChatMessageAssistant(content=made[-1].output))
            return state

        return solve

    return attempts()


def _take(
    found: dict[str, EvalSample],
    samples: Iterable[EvalSample],
    requests: Mapping[str, str],
    alike: bool,
) -> None:
    """Notes the answered samples of requests; `alike` as `Interview.ask` has it."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, prompt in requests.items():
        names[prompt].append(name)
    for sample in samples:
        if sample.error is None and _REPLIES in sample.store:
            known = names.get(str(sample.input), ())
            found |= {name: sample for name in known if alike or name == str(sample.id)}


def _step(
    role: str, model: str, prompt: str, sample: EvalSample, read: Callable[[str], T]
) -> Step[T]:
    replies = [Reply(*each) for each in sample.store[_REPLIES]]
    last, value = replies[-1].output, None
    if replies[-1].refused is None:
        try:
            value = read(last)
        except UnusableReplyError as error:  # an older version took it
            replies[-1] = Reply(last, str(error))
    return Step(role, model, prompt, tuple(replies), value)
