"""The scorer of every family's tasks, and what it converts between Inspect and the families."""

import json
import logging
import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, zip_longest

from inspect_ai.log import EvalSample
from inspect_ai.model import Model, ModelOutput, ResponseSchema, get_model, model_roles
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    PARTIAL,
    Score,
    Scorer,
    Target,
    Value,
    scorer,
    value_to_float,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import JSONSchema

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import LoggedOutcome, outcome_defaults, scoring_data_of
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.planned_calls import find_missing_calls
from bias_tasks.contract.questions import ScoringData
from bias_tasks.families import load_family
from bias_tasks.messages import MAX_LENGTH, truncate
from bias_tasks.parsing.written_text import InvalidReplyError
from bias_tasks.scorers.logged_run import (
    NO_VERDICT,
    LoggedRun,
    find_logged_run,
    find_logged_verdict,
)
from bias_tasks.scorers.run_metrics import all_metrics
from bias_tasks.solvers.generation import answer_text
from bias_tasks.solvers.inspect_api import (
    ScorerError,
    active_token_limit,
    checks_arguments,
    read_stop_reason,
    register_logged_name,
)
from bias_tasks.solvers.until_valid import MAX_ATTEMPTS, ask_until_valid
from bias_tasks.unicode_text import encodable

logger = logging.getLogger(__name__)

_GRADES = (CORRECT, INCORRECT, PARTIAL, NOANSWER)
"""Texts that Inspect's scorers give as values."""
GRADER = "grader"
"""The grader's model role."""

_UNKNOWN_OPTIONS = (
    "the samples do not say with which %s metrics are computed: those of --action append are "
    "computed with the defaults, those of --action overwrite with the run's own values"
)
_NO_VERDICT = (
    "the grader %s gave no verdict on an answer in %d attempts: such samples have no score, count "
    "in no metric, and have the reason grader_failed in the log"
)


@scorer(metrics=[all_metrics()])
@checks_arguments(ScorerError)
def outcome(
    family: str | None = None,
    run_digest: str | None = None,
    options: ParameterValues | None = None,
) -> Scorer:
    """Score the answer to a question of a family.

    The score is 1 for a correct answer and 0 for another, or on the family's scale. A model in the
    role `grader` parses answers that the rules cannot parse. Without its verdict in three attempts
    the sample has no score, and so has a sample without any output of the model, or without an
    answer to each call that its question plans.

    Args:
        family: The family's name. By default each sample of a log says the family, the digest and
            the options (`find_logged_run`), as for `inspect score LOG --scorer bias_tasks/outcome`.
        run_digest: Digest of the run, which is logged with each outcome.
        options: The task's parameters on which metrics depend, by name.
    """
    run = None
    if family is not None:
        run = LoggedRun(load_family(family), run_digest, options or {}, frozenset())
    warned: set[str] = set()

    def warn_once(message: str, *arguments: object) -> None:
        if message not in warned:
            warned.add(message)
            logger.warning(message, *arguments)

    async def score(state: TaskState, target: Target) -> Score:
        missing = find_missing_calls(state.metadata, has_output=bool(state.output.choices))
        if missing:
            reason, explanation = missing
            return Score.unscored(reason=reason, explanation=explanation)
        logged_verdict = None if GRADER in model_roles() else find_logged_verdict(state.metadata)
        if logged_verdict is not None:
            return logged_verdict
        scored_run = run or find_logged_run(state.metadata)
        if scored_run.unknown:
            warn_once(_UNKNOWN_OPTIONS, ", ".join(sorted(scored_run.unknown)))
        data = scoring_data_of(scored_run.family, state.metadata)
        answer = read_answer(state, active_token_limit())
        result = scored_run.family.score_answer(data, answer)
        if result.answer is None and GRADER in model_roles():
            visible = answer.without_reasoning()
            model = get_model(role=GRADER, required=True)
            graded = await grade_answer(model, scored_run.family, data, visible, result)
            if graded is None:
                warn_once(_NO_VERDICT, model, MAX_ATTEMPTS)
                explanation = f"The grader gave no verdict in {MAX_ATTEMPTS} attempts."
                return Score.unscored(reason=NO_VERDICT, explanation=explanation)
            result = graded
        name, digest = scored_run.family.name, scored_run.run_digest
        form = scored_run.family.question_form(data)
        explanation = explain_parsing(result, answer.text, form)
        return build_score(
            result, name, digest, state.metadata, scored_run.options, explanation=explanation
        )

    return score


async def grade_answer(
    model: Model, family: AnyFamily, data: ScoringData, answer: Answer, unparsed: AnyOutcome
) -> AnyOutcome | None:
    """Return the outcome of an answer by a grader's verdict.

    Args:
        model: The grader.
        family: The family that scores the answer.
        data: The question's scoring data.
        answer: The answer, without reasoning.
        unparsed: Its outcome by the rules, returned if no grader is used for such an answer.

    Returns:
        None if the grader gives no verdict in `MAX_ATTEMPTS` attempts.
    """
    request = family.verdict_request(data, answer)
    if request is None:
        return unparsed

    def parse(reply: str) -> AnyOutcome:
        graded = family.score_verdict(data, answer, reply)
        if graded is None:
            raise InvalidReplyError("no verdict")
        return graded

    schema = JSONSchema.model_validate(dict(request.schema))
    response_schema = ResponseSchema(name="verdict", json_schema=schema)
    prompt = request.prompt
    return (await ask_until_valid(model, prompt, parse, response_schema=response_schema)).value


def read_answer(sample: TaskState | EvalSample, max_tokens: int | None) -> Answer:
    """Return the answer of a running or logged sample, with the last prompt of the model.

    An answer of several rounds has the earlier ones, which the solver `ask` keeps.

    Args:
        sample: The sample.
        max_tokens: The token limit of the run; None if it is not known.
    """
    prompts = [message.text for message in sample.messages if message.role == "user"]
    last_prompt = prompts[-1] if prompts else ""
    answer = convert_output(sample.output, sample.epoch, last_prompt, max_tokens)
    previous = sample.metadata.get("previous_answers")
    if not previous:
        return answer
    stops = sample.metadata.get("previous_stop_reasons", ["stop"])
    # A round that does not continue a dialogue replaces its history: prompts in between are lost.
    rounds = zip_longest(previous, stops, [str(sample.input), *prompts[1:-1]])
    earlier = []
    for text, stop, prompt in islice(rounds, len(previous)):
        output = ModelOutput.from_content("", text, stop or "stop")
        earlier.append(convert_output(output, prompt=prompt or "", max_tokens=max_tokens))
    return replace(answer, quoted=previous[-1], earlier_rounds=tuple(earlier))


def convert_output(
    output: ModelOutput, epoch: int = 1, prompt: str = "", max_tokens: int | None = None
) -> Answer:
    """Return a model's output as families score it.

    Args:
        output: Inspect's output.
        epoch: The sample's epoch, from 1.
        prompt: The last prompt of the model.
        max_tokens: The token limit, if it is known.
    """
    calls = output.message.tool_calls or () if output.choices else ()
    return Answer(
        answer_text(output),
        read_stop_reason(output, max_tokens),
        epoch=epoch,
        prompt=prompt,
        tool_calls=tuple(
            encodable(call.parse_error or json.dumps(call.arguments)) for call in calls
        ),
        tokens=output.usage.output_tokens if output.usage else None,
        seconds=output.time,
    )


def explain_parsing(result: AnyOutcome, text: str, form: str) -> str:
    """Return what was parsed and from where, for a reader of the log.

    Args:
        result: The outcome of the answer.
        text: The whole answer.
        form: The kind of question (`Family.question_form`); empty if there is one.

    Returns:
        The parsed answer, the form, how it was found, and the line of the text that has it; for an
        unparsed answer the form and the reason.
    """
    parts = [f"{form} question" if form else "", result.explanation]
    if result.answer is not None:
        parts.insert(0, f"parsed as {truncate(result.answer, MAX_LENGTH)}")
    if result.span is not None:
        start = result.span[0]
        line_start = max(text.rfind("\n", 0, start) + 1, start - MAX_LENGTH // 2)
        line = text[line_start:].split("\n", 1)[0]
        parts.append(f"in the line {truncate(line, MAX_LENGTH)!r}")
    return "; ".join(filter(None, parts))


def build_score(
    result: AnyOutcome,
    family: str,
    run_digest: str | None = None,
    metadata: JsonObject | None = None,
    options: ParameterValues | None = None,
    *,
    explanation: str = "",
) -> Score:
    """Return Inspect's score for an outcome.

    Args:
        result: The outcome of an answer.
        family: Name of the family that scored the answer.
        run_digest: Digest of the run.
        metadata: The sample's metadata.
        options: As in `LoggedOutcome`.
        explanation: What the log explains (`explain_parsing`); by default the outcome's own.
    """
    score = Score(
        value=NOANSWER if result.score is None else result.score,
        answer=result.answer,
        explanation=explanation or result.explanation or None,
        reason=result.reason,
    )
    known = outcome_defaults(score, metadata)
    logged = LoggedOutcome(family, result, run_digest, options or {})
    score.metadata = logged.to_metadata(known)
    return score


def score_as_share(value: Value, key: str | None = None) -> float | None:
    """Return the score of another package's scorer as a number from 0 to 1.

    Args:
        value: The score's value.
        key: Which of several values counts.

    Returns:
        None if the sample is unscored.

    Raises:
        ValueError: The value is not a number from 0 to 1, and not C, I, P, N, true or false.
    """
    selected = value.get(key or "", value) if isinstance(value, Mapping) else value
    if selected is None or (isinstance(selected, float) and math.isnan(selected)):
        return None
    is_known = isinstance(selected, bool | int | float) or selected in _GRADES
    number = value_to_float()(selected) if is_known else math.nan
    if not 0 <= number <= 1:
        raise ValueError(
            f"the task's scorer gave {selected!r}: expected C, I, P, N, true, false or a number "
            "from 0 to 1; if it gives several values, the task's headline metric must name one"
        )
    return number


register_logged_name(outcome)
