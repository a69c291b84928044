"""A family of tasks: it plans the questions of a run, scores one answer, and computes the metrics
of many. It knows no framework."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.contract.metrics import MetricSpec, declared_metrics
from bias_tasks.contract.outcomes import Answer, Extra, ExtraT, Outcome
from bias_tasks.contract.parameters import ParameterValues, TaskSpec
from bias_tasks.contract.questions import Plan, Question, Request, ScoringData
from bias_tasks.data.errors import DataError
from bias_tasks.messages import format_count, format_value
from bias_tasks.parsing.failures import explain_failure, is_cut
from bias_tasks.parsing.json_values import find_objects
from bias_tasks.parsing.parsed_answer import INVALID_FORMAT, Level, UnparsedReason
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.prompts.grader import UNREADABLE, VerdictRequest, values_request
from bias_tasks.statistics.estimate import Estimate

DataT = TypeVar("DataT", bound=ScoringData)
ScoredT = TypeVar("ScoredT")

_VERDICT_LEVELS = (Level.WHOLE.code, Level.FIELD.code)
"""Where in a grader's reply its verdict must be."""


class Family(ABC, Generic[DataT, ExtraT]):
    """The tasks of one paper, or of one question.

    The type parameters are the family's scoring data and the extra values of its outcomes.
    """

    name: ClassVar[str]
    """Name of its folder. For a family of another package, the name of its module."""
    version: ClassVar[int]
    """Changes whenever the numbers of its tasks can change."""
    scoring_data_type: ClassVar[type[ScoringData]]
    """The class of `Question.scoring_data`, with which logs are read."""
    extra_type: ClassVar[type[Extra]]
    """The class of `Outcome.extra`, with which logs are read."""
    roles: ClassVar[tuple[str, ...]] = ()
    """Model roles that its tasks use besides `grader`."""
    measures_form: ClassVar[bool] = False
    """Whether an answer in another form than requested is a finding and not a problem."""
    mitigations: ClassVar[frozenset[str]] = frozenset()
    """Parameters that reduce the bias by prompting differently. Runs that differ in these alone
    are compared to measure the mitigation."""

    @property
    def tasks(self) -> Mapping[str, TaskSpec]:
        """The tasks by name, as its task functions and `tasks.yaml` declare them."""
        return load_declaration(self.package).tasks

    @property
    def metrics(self) -> tuple[MetricSpec, ...]:
        """The metrics of its tasks, as `metrics.yaml` in its folder declares them."""
        return declared_metrics(self.package)

    @property
    def package(self) -> str:
        """Dotted name of its folder."""
        return type(self).__module__.rpartition(".")[0]

    @abstractmethod
    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Return the questions of a run.

        Args:
            task: Name of one of its tasks.
            values: The value of every parameter, checked by `TaskSpec.values`.
            likelihoods: Whether options are compared by their likelihoods and no text is generated.

        Raises:
            ValueError: The values contradict each other.
            DataError: The items are not available.
        """

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """Return the model calls of a question, for a framework that makes all of them in one run.

        Args:
            question: One of `plan`.
            answer: Stands for each answer of the model if a later prompt quotes it.
        """
        return (Request(question.prompt),)

    @abstractmethod
    def score_visible_text(self, data: DataT, answer: Answer) -> Outcome[ExtraT]:
        """Return the outcome of an answer.

        Args:
            data: The question's scoring data.
            answer: An answer whose text has no reasoning in it (`Answer.without_reasoning`).
        """

    def write_answer(self, data: DataT, value: Any) -> str:
        """Return an answer in the requested form that `score_answer` parses as a value.

        Simulated models answer with it. A family that they cannot answer does not implement it.

        Args:
            data: The question's scoring data.
            value: The value, in the family's own terms.

        Raises:
            ValueError: The requested form cannot express the value.
        """
        raise NotImplementedError(f"no simulated model answers questions of {self.name}")

    def score_answer(self, data: DataT, answer: Answer) -> Outcome[ExtraT]:
        """Return the outcome of an answer as a framework got it.

        Reasoning in the text is ignored. The span of the outcome refers to the whole text. If a
        parser raises an exception, the answer is unparsed: one text must not end a run.

        Args:
            data: The question's scoring data.
            answer: The model's answer.

        Raises:
            DataError: A file is missing.
            Exception: The scoring data are invalid.
        """
        return self._guarded(data, answer, lambda: self._score_text(data, answer))

    def score_verdict(self, data: DataT, answer: Answer, reply: str) -> Outcome[ExtraT] | None:
        """Return the outcome by a grader's reply, as `parse_verdict` does, or that of a defect.

        Args:
            data: As in `parse_verdict`.
            answer: As in `parse_verdict`.
            reply: As in `parse_verdict`.
        """
        return self._guarded(data, answer, lambda: self.parse_verdict(data, answer, reply))

    def _score_text(self, data: DataT, answer: Answer) -> Outcome[ExtraT]:
        visible = VisibleText.from_text(answer.text)
        outcome = self.score_visible_text(data, replace(answer, text=visible.text))
        if outcome.span is not None:
            return replace(outcome, span=visible.span(*outcome.span))
        if outcome.answer is not None or answer.likelihoods:
            return outcome
        reason, explanation = _unparsed_reason(outcome, visible, answer), outcome.explanation
        if reason is not UnparsedReason.NO_VALUE and reason.code != outcome.unparsed_reason:
            explanation = f"{explanation} ({reason.value})" if explanation else reason.value
        return replace(outcome, explanation=explanation, unparsed_reason=reason.code)

    def _guarded(
        self, data: DataT, answer: Answer, score: Callable[[], ScoredT]
    ) -> ScoredT | Outcome[ExtraT]:
        """Return the outcome that a function computes, or that of a defect if it raises.

        An empty text is scored then. That raises again if the text is not the cause.
        """
        try:
            return score()
        except DataError:
            raise
        except Exception as exception:  # noqa: BLE001 - a parser may fail in any way
            error, empty = exception, self._score_text(data, replace(answer, text=""))
        return replace(
            empty,
            explanation=f"{UnparsedReason.DEFECT.value}: {format_value(error)}",
            reason=answer.abnormal_reason(INVALID_FORMAT, unparsed=True),
            unparsed_reason=UnparsedReason.DEFECT.code,
        )

    @abstractmethod
    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[ExtraT]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return every metric of a run with its 95 % interval, by its printed name.

        Args:
            outcomes: The outcomes of a run, in any order.
            options: Values of the parameters on which metrics depend (`TaskSpec.metric_options`).
            intervals: Whether intervals are computed, which takes several times as long as the
                values. Without them, bounds are nan.

        Raises:
            ValueError: Outcomes contradict each other, or an option has an impossible value.
        """

    def findings(
        self, outcomes: Sequence[Outcome[ExtraT]], options: ParameterValues
    ) -> Sequence[str]:
        """Return sentences on what a reader must know before any metric of a run.

        Args:
            outcomes: As in `compute_metrics`.
            options: As in `compute_metrics`.

        Returns:
            By default how many answers were parsed by the last resort (`Level.RESORT`), if any.
        """
        n_resort = sum(outcome.level == Level.RESORT.code for outcome in outcomes)
        if not n_resort:
            return ()
        answers = f"{n_resort} of {format_count(len(outcomes), 'answer')}"
        verb = "is" if n_resort == 1 else "are"
        return (
            f"{answers} {verb} parsed by the last resort: only the last sentence names an option",
        )

    def counts(
        self,
        outcomes: Sequence[Outcome[ExtraT]],
        metrics: Mapping[str, Estimate],
        options: ParameterValues,
    ) -> Mapping[str, Mapping[str, object]]:
        """Return the numbers in the sentences `counts` and `excluded` of metrics.

        Args:
            outcomes: As in `compute_metrics`.
            metrics: All metrics of the run.
            options: As in `compute_metrics`.

        Returns:
            Values by name, by printed metric. A sentence without all of its values is left out.
        """
        return {}

    def above_chance_metrics(
        self, outcomes: Sequence[Outcome[ExtraT]], *, intervals: bool
    ) -> dict[str, Estimate]:
        """Return `above_chance` and `above_chance_significant` of the baseline answers."""
        # Imported here: it loads numpy, which listing or building a task does not need.
        from bias_tasks.statistics.above_chance import above_chance

        baseline = [o for o in outcomes if self.baseline_variant(o.variant) is None]
        return above_chance(baseline or outcomes, intervals=intervals)

    def example_outcome(self, data: DataT) -> Outcome[ExtraT]:
        """Return an outcome such that a run of its like has every metric of the task.

        Args:
            data: A question's scoring data.
        """
        return self.score_visible_text(data, Answer())

    def baseline_variant(self, variant: str) -> str | None:
        """Return the variant whose answers those under `variant` are compared with.

        None for that variant itself, and if a family compares no variants.
        """
        return None

    def normalized_score(self, outcome: Outcome[ExtraT]) -> float | None:
        """Return the score from 0 (wrong, or the lowest of a scale) to 1.

        Scores of one item are comparable with each other. None if the answer is unparsed, or its
        score is not comparable.
        """
        return None if outcome.answer is None else outcome.score

    def answer_values(
        self, outcome: Outcome[ExtraT], variants: Collection[str]
    ) -> Mapping[str, float]:
        """Return the metrics of a run that are means over answers, with the values of one answer.

        Args:
            outcome: The outcome of the answer.
            variants: All variants of the run.

        Returns:
            Values by printed name. A run may have fewer of these metrics; an answer that a metric
            does not count has no value of it.
        """
        unparsed, variant = float(outcome.answer is None), outcome.variant
        values = {"unparsed": unparsed, f"fi/{variant}": 1 - unparsed}
        if outcome.score is not None:
            values |= {f"acc/{variant}": outcome.score, f"score/{variant}": outcome.score}
        return values

    def answer_text(self, data: DataT, answer: str) -> str:
        """Return the parsed answer for a reader who does not see the item.

        Args:
            data: The question's scoring data.
            answer: `Outcome.answer`.
        """
        return answer

    def question_form(self, data: DataT) -> str:
        """Return the kind of question, whose answers are counted together; empty if there is one.

        Args:
            data: The question's scoring data.
        """
        return ""

    def displayed_label(self, data: DataT, answer: str) -> str | None:
        """Return a parsed or correct answer as the label that the prompt displays for it.

        Args:
            data: The question's scoring data.
            answer: `Outcome.answer` or `Outcome.gold`.

        Returns:
            None if the question offers no labels: its answer is open.
        """
        return answer

    def is_correct(self, outcome: Outcome[ExtraT]) -> bool | None:
        """Return whether an answer is correct; None if no answer is correct or wrong."""
        return outcome.score == 1 if outcome.gold else None

    def allowed_answers(self, data: DataT) -> Sequence[str]:
        """Return the values that a grader may report, or one line that describes them.

        Empty if no grader parses the family's answers.
        """
        return ()

    def verdict_request(self, data: DataT, answer: Answer) -> VerdictRequest | None:
        """Return the request to a grader about an unparsed answer.

        None if the answer is blank, or if no grader parses the family's answers.

        Args:
            data: The question's scoring data.
            answer: The unparsed answer, without reasoning.
        """
        values = self.allowed_answers(data)
        if not values or not answer.text.strip():
            return None
        return values_request(answer.prompt, answer.text, values)

    def parse_verdict(self, data: DataT, answer: Answer, reply: str) -> Outcome[ExtraT] | None:
        """Return the outcome by a grader's reply, marked as graded.

        An answer that the grader cannot parse either stays unparsed.

        Args:
            data: The question's scoring data.
            answer: The unparsed answer, without reasoning.
            reply: The grader's reply, without reasoning: an allowed answer, or an object with it in
                the field `verdict`.

        Returns:
            None if the reply has no verdict in the requested form.
        """
        verdict = verdict_text(reply, answer)
        if verdict.strip(" .\n\"'").lower() == UNREADABLE:
            return self.score_answer(data, answer)
        graded = replace(answer, text=verdict, stop="stop", prompt="")
        outcome = self.score_answer(data, graded)
        if outcome.answer is None or outcome.level not in _VERDICT_LEVELS:
            return None
        extra: Any = self.extra_type.from_dict({**outcome.extra.to_dict(), "graded": True})
        return replace(outcome, explanation="a grader's verdict", span=None, extra=extra)


AnyFamily: TypeAlias = Family[Any, Any]
"""A family whose types are not known, as frameworks and commands use it."""


def verdict_text(reply: str, answer: Answer) -> str:
    """Return the field `verdict` of a grader's reply; the whole reply if it has none.

    An object among other words does not count if the answer has one with the same verdict: the
    grader may quote it. It is empty if several objects have different verdicts.
    """
    verdicts = _find_verdicts(reply)
    if not verdicts:
        return reply
    is_object = re.fullmatch(r"(```(json)?)?\s*\{[^{}]*\}\s*(```)?", reply.strip())
    quoted = () if is_object else _find_verdicts(answer.text)
    return verdicts[0] if len({*verdicts}) == 1 and verdicts[0] not in quoted else ""


def _find_verdicts(text: str) -> list[str]:
    objects = (values for values in find_objects(text) if isinstance(values, dict))
    verdicts = (values["verdict"] for values in objects if "verdict" in values)
    return [str(verdict) if isinstance(verdict, str | int) else "" for verdict in verdicts]


def _unparsed_reason(
    outcome: Outcome[Extra], visible: VisibleText, answer: Answer
) -> UnparsedReason:
    """Return the most specific reason why an answer is unparsed."""
    if visible.unfinished and not visible.text.strip():
        return UnparsedReason.UNFINISHED_REASONING
    if not visible.text.strip():
        return UnparsedReason.TOOL_CALL if answer.stop == "tool_call" else UnparsedReason.EMPTY
    reason = UnparsedReason[(outcome.unparsed_reason or "no_value").upper()]
    if reason is UnparsedReason.NO_VALUE and _is_cut(answer, visible.text):
        reason = UnparsedReason.TRUNCATED
    return explain_failure(reason, visible.text, answer.prompt, answer.quoted)


def _is_cut(answer: Answer, text: str) -> bool:
    """Return whether generation ended at the token limit.

    lm-eval reports no stop reason: its answers are cut if the text ends within a sentence.

    Args:
        answer: The answer.
        text: Its text without reasoning.
    """
    if answer.stop is not None:
        return answer.stop == "truncated"
    return is_cut(text)
