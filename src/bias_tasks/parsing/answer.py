"""`parse_answer`: what an answer says, whatever form was requested."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, get_args

from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.parsing.reasoning import VisibleText

if TYPE_CHECKING:
    from bias_tasks.parsing.values import Form

FormName = Literal[
    "choice", "judging", "yes_no", "score", "criteria", "verdict", "flaws", "first_error"
]
OptionLabels = Literal["numbers", "letters"]
NO_CORRECT_ANSWER = "No correct answer"
"""What the Instruction Boundary paper's choice prompts ask for if no option is right."""
TRUE_FALSE_UNKNOWN = ("True", "False", "Unknown")


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What a prompt asks for. The grammar of its answers is built from this declaration."""

    name: FormName
    options: int | tuple[str, ...] = ()
    """Choice: the number of options, or their texts."""
    option_labels: OptionLabels = "numbers"
    """Choice: whether options carry numbers or letters."""
    first_number: int = 1
    """Choice: the number of the first option."""
    none_literals: tuple[str, ...] = (NO_CORRECT_ANSWER,)
    """Choice: what to respond with if no option is right."""
    allowed_labels: tuple[str, ...] = TRUE_FALSE_UNKNOWN
    """Judging: the labels offered, under the numbers 1, 2, ..."""
    scale: tuple[float, float] = (1, 10)
    """Score, criteria, flaws: the lowest and the highest score or severity."""
    criteria: tuple[str, ...] = ()
    """Criteria, flaws: names of the criteria or dimensions."""
    n_steps: int = 0
    """First error: number of steps; they count from 0, and -1 says that all are right."""

    def __post_init__(self) -> None:
        """Check what the form needs.

        Raises:
            ValueError: There is no such form, or it lacks something.
        """
        if self.name not in get_args(FormName):
            raise ValueError(f"form={self.name!r}: expected one of {', '.join(get_args(FormName))}")
        if self.name == "choice" and self.n_options < 1:
            raise ValueError("form='choice' needs options: their number, or their texts")
        if self.option_labels not in get_args(OptionLabels):
            raise ValueError(f"option_labels={self.option_labels!r}: expected numbers or letters")
        if self.scale[0] >= self.scale[1]:
            raise ValueError(f"scale={self.scale!r}: expected the lowest and the highest score")
        if self.name in ("criteria", "flaws") and not self.criteria:
            raise ValueError(f"form={self.name!r} needs criteria: their names")

    @property
    def n_options(self) -> int:
        """Number of options."""
        return self.options if isinstance(self.options, int) else len(self.options)

    def parse(
        self,
        visible_text: str,
        *,
        prompt: str = "",
        quoted: str = "",
        truncated: bool = False,
        last_resort: bool = True,
    ) -> ParsedAnswer:
        """Parse an answer that has no reasoning in it (`VisibleText`).

        Args:
            visible_text: The answer, any string.
            prompt: The prompt, if known; what the answer repeats of it does not count.
            quoted: The model's own earlier answer, if the prompt quotes it.
            truncated: Whether the answer ended at a token limit.
            last_resort: Whether an option counts that only the last sentence names.

        Returns:
            The value, or the reason why there is none.
        """
        # Imported here: patterns are compiled, which listing or building a task does not need.
        from bias_tasks.parsing.decision import parse_value
        from bias_tasks.parsing.failures import explain_failure
        from bias_tasks.parsing.flaws import parse_flaws
        from bias_tasks.parsing.plain_text import PlainText
        from bias_tasks.parsing.scores import parse_criteria

        if not visible_text.strip():
            return unparsed(UnparsedReason.EMPTY)
        if self.name == "flaws":
            return parse_flaws(visible_text, self.criteria, self.scale)
        texts = () if isinstance(self.options, int) else self.options
        plain_text = PlainText(visible_text, prompt, texts, quoted)
        if not plain_text.text.strip():
            return unparsed(UnparsedReason.ECHO)
        if self.name == "criteria":
            return parse_criteria(plain_text, self.criteria, self.scale)
        decision = parse_value(
            _grammar(self), plain_text, prompt=prompt, truncated=truncated, last_resort=last_resort
        )
        if decision.reason is not None:
            return unparsed(explain_failure(decision.reason, visible_text, prompt, quoted))
        value, options = decision.value, ()
        label = f"{value:g}" if self.name == "score" else str(value)
        if self.name == "choice":
            label, options = ("none", "single", "multiple")[min(len(value), 2)], value
        return ParsedAnswer(label, value, options, decision.level, decision.span)


class FormFields(TypedDict, total=False):
    """The fields of `AnswerForm` besides its name, as keyword arguments; any sequence is a list."""

    options: int | Sequence[str]
    option_labels: OptionLabels
    first_number: int
    none_literals: Sequence[str]
    allowed_labels: Sequence[str]
    scale: Sequence[float]
    criteria: Sequence[str]
    n_steps: int


def parse_answer(
    text: str,
    *,
    form: FormName,
    prompt: str = "",
    quoted: str = "",
    truncated: bool = False,
    last_resort: bool = True,
    **declared: Unpack[FormFields],
) -> ParsedAnswer:
    """Parse what an answer says.

    The last explicit statement of a value that is the model's own counts. An answer without an
    unambiguous value is unparsed rather than guessed.

    Args:
        text: The answer, any string; reasoning between the tags of a chat template is skipped.
        form: `choice` (options by number, letter or text; several or none of them too), `judging`
            (True, False, Unknown), `yes_no`, `score`, `criteria` (a score each), `verdict` (A, B
            or a tie), `flaws` (a list of dimension, severity and quote) or `first_error`.
        prompt: The prompt, if known; what the answer repeats of it does not count.
        quoted: The model's own earlier answer, if the prompt quotes it.
        truncated: Whether the answer ended at a token limit. A value counts then only if more text
            could not change it.
        last_resort: Whether an option counts that is named in the last sentence alone.
        **declared: The other fields of `AnswerForm`, such as `options` and `scale`.

    Returns:
        The parsed answer. The label of a choice is `single`, `multiple` or `none`, and `options`
        count from 0; the label of a score is the number. An unparsed answer has the label None and
        an `unparsed_reason`.

    Raises:
        TypeError: The form has no such field.
        ValueError: There is no such form, or something that the form needs is missing.
    """
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        for name, value in declared.items()
    }
    answer_form, visible = AnswerForm(form, **fields), VisibleText.from_text(text)
    if visible.unfinished and not visible.text.strip():
        return unparsed(UnparsedReason.UNFINISHED_REASONING)
    parsed = answer_form.parse(
        visible.text, prompt=prompt, quoted=quoted, truncated=truncated, last_resort=last_resort
    )
    return parsed if parsed.span is None else replace(parsed, span=visible.span(*parsed.span))


@lru_cache(maxsize=1024)
def _grammar(form: AnswerForm) -> "Form":
    """Return how the values of a form are written."""
    from bias_tasks.parsing import forms
    from bias_tasks.parsing.choice import ChoiceForm

    grammars = {
        "choice": ChoiceForm,
        "judging": forms.WordForm,
        "yes_no": forms.WordForm,
        "score": forms.ScoreForm,
        "verdict": forms.VerdictForm,
        "first_error": forms.FirstErrorForm,
    }
    return grammars[form.name](form)
