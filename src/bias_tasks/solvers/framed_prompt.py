"""A user's prompt with text around it that stays outside of every template of a later solver."""

from collections.abc import Callable

from inspect_ai.event import SampleLimitEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from pydantic import PrivateAttr

from bias_tasks.solvers.inspect_api import SolverError, sample_state

_set_text: Callable[[ChatMessageUser, str], None] = ChatMessageUser.text.fset  # type: ignore[attr-defined]
RenderText = Callable[[str], str]
"""Returns the text after a prompt, which may depend on what the prompt displays."""


class FramedPrompt(ChatMessageUser):
    """A message whose text has a frame: text before and after the task's own prompt.

    The text that a solver reads and a model gets is complete. If a solver puts that text into a
    template, the frame moves out of the template: `before + template(prompt) + after`.
    """

    _prompt: str = PrivateAttr("")
    _before: str = PrivateAttr("")
    _after: tuple[RenderText, ...] = PrivateAttr(())
    _frames: list[tuple[str, str]] = PrivateAttr(default_factory=list)
    """The frames that the text has had; a solver may put an earlier text into a template."""

    @property
    def prompt(self) -> str:
        """The text without its frame."""
        return self._prompt

    @property
    def text(self) -> str:
        """The complete text. What is assigned to it gets the frame."""
        return super().text

    @text.setter
    def text(self, text: str) -> None:
        for before, after in reversed(self._frames):
            start, end = text.find(before), text.rfind(after)
            if 0 <= start <= end - len(before):
                prompt = text[start + len(before) : end]
                text = f"{text[:start]}{prompt}{text[end + len(after) :]}"
                break
        self._prompt = text
        self._frames.append((self._before, "".join(render(text) for render in self._after)))
        before, after = self._frames[-1]
        _set_text(self, f"{before}{text}{after}")

    def has_frame(self, text: str) -> bool:
        """Return whether a text has the frame of this message."""
        return all(part.strip() in text for part in self._frames[-1])

    def add(self, before: str, after: RenderText | None) -> None:
        """Put text around the complete text."""
        self._before = before + self._before
        self._after += () if after is None else (after,)
        self.text = self.text


def frame_prompt(
    state: TaskState, solver_name: str, before: str = "", after: RenderText | None = None
) -> FramedPrompt:
    """Put text around the prompt of a sample, which a later solver must answer.

    Args:
        state: The sample.
        solver_name: Name of the calling solver, for messages.
        before: Text before the prompt, with the blanks that separate them.
        after: Returns the text after the prompt, with the blanks that separate them.

    Raises:
        SolverError: The sample is answered already. When it is scored, it is an error if no solver
            called the model, or if a solver replaced the prompt.
    """
    if not state.output.empty:
        raise SolverError(
            f"{solver_name} changes the prompt, and sample {state.sample_id} is answered already: "
            "put it before the solver that calls the model"
        )
    message = state.user_prompt
    if not isinstance(message, FramedPrompt):
        fields = {name: getattr(message, name) for name in ChatMessageUser.model_fields}
        index = next(i for i, other in enumerate(state.messages) if other is message)
        state.messages[index] = message = FramedPrompt(**fields)
    message.add(before, after)
    state.scores = _ScoresOfAnswer(state.scores or {}, solver_name=solver_name, prompt=message)
    return message


class _ScoresOfAnswer(dict[str, Score]):
    """Scores of a sample; Inspect looks into them after each scorer.

    Inspect would score a sample without a call as wrong, and a solver cannot know whether another
    one follows.
    """

    def __init__(self, scores: dict[str, Score], solver_name: str, prompt: FramedPrompt) -> None:
        super().__init__(scores)
        self._solver_name, self._prompt = solver_name, prompt

    def __contains__(self, scorer_name: object) -> bool:
        """Return whether there is a score of this scorer.

        Raises:
            SolverError: No limit stopped the sample, and either no solver called the model, or a
                solver put a prompt of its own in place of the changed one.
        """
        state, name = sample_state(), self._solver_name
        stopped = any(isinstance(event, SampleLimitEvent) for event in transcript().events)
        if state is not None and not stopped:
            if state.output.empty:
                raise SolverError(
                    f"{name} only changes the prompt, and no solver after it called the model: add "
                    "generate() or multiple_choice() after it; on the command line, use "
                    f"--solver bias_tasks/with_setting -S name={name}"
                )
            if not any(self._prompt.has_frame(message.text) for message in state.messages):
                raise SolverError(
                    f"a solver after {name} replaced the changed prompt: put {name} after that "
                    f"solver, or use with_setting({name!r}) in place of the task's solvers"
                )
        return super().__contains__(scorer_name)
