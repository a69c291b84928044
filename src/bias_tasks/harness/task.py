"""The task class behind the YAML files of every family."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar
from weakref import WeakSet

from datasets import Dataset
from lm_eval.api.instance import Instance
from lm_eval.api.model import hash_args
from lm_eval.api.task import ConfigurableTask

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import SCORING_DATA, read_scoring_data
from bias_tasks.contract.metrics import (
    find_headline,
    find_metric_spec,
    reported_names,
    with_headline,
)
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.parameters import (
    SHARD,
    AnswerLength,
    Parameter,
    ParameterValues,
    TaskSpec,
)
from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.contract.record import (
    RECORD,
    RECORD_HEADLINE,
    RECORD_METRICS,
    many_calls_notice,
    run_record,
    task_version,
)
from bias_tasks.contract.shards import POSITION, plan_shard
from bias_tasks.contract.unparsed_notice import unparsed_notice
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import RawRecord
from bias_tasks.digests import digest
from bias_tasks.families import family_of_task, import_family
from bias_tasks.harness.aggregated_metric import AggregatedMetric
from bias_tasks.harness.metrics import (
    MetricCache,
    OutcomeScore,
    result_name,
    result_names,
    score_outcome,
)
from bias_tasks.harness.parameters import REASONING, check_keys, logger, read_parameters
from bias_tasks.statistics.estimate import Estimate, metrics_to_json
from bias_tasks.unicode_text import encodable

OUTCOME = "outcome"
"""Name of the answer's outcome in the document of a logged sample."""


class FamilyTask(ConfigurableTask):  # type: ignore[misc]
    """A task whose questions, scores and metrics are a family's, the same as in Inspect.

    The YAML file's `dataset_kwargs` name the family's `task`, the parameters that the YAML task's
    name fixes, and `family` for a family of another package. A user sets parameters with
    `--metadata`, which all tasks of a run get.

    A document is `{id, prompt, gold, scoring_data}`, the last as JSON text. There is no grader for
    unparsed answers, and lm-eval does not report whether an answer is truncated.
    """

    ADDED: ClassVar[tuple[Parameter, ...]] = ()
    """Parameters that this class adds to those of the family's task."""
    PASSES_ON: ClassVar[bool] = False
    """Whether another task gets the keys of the metadata that this one does not read."""
    _unchecked: ClassVar[WeakSet["FamilyTask"]] = WeakSet()
    """The tasks that are loaded since a run last checked the keys of its metadata."""
    _run_notices: tuple[str, ...] = ()
    """What a run reports once, whichever of its tasks say so."""

    def __init__(self, config: RawRecord) -> None:
        yaml_config = {name: value for name, value in config.items() if name != "class"}
        super().__init__(config=yaml_config)
        # Several processes each compute every metric: one notice is enough.
        self._last_notices: tuple[str | None, ...] = ()
        self._metrics = MetricCache(self.compute_metrics)
        outcomes = [self.example_outcome(question) for question in self._questions.values()]
        self._variants = {outcome.variant for outcome in outcomes}
        examples = self.family.compute_metrics(outcomes, self._options)
        self._reported = reported_names(self._task_spec, examples)
        self._headline = find_headline(self._task_spec, examples)
        self.config.metadata[RECORD][RECORD_HEADLINE] = self._headline

    def aggregation(self) -> JsonObject:
        """Return the function that computes each metric from the values of all documents."""
        names = result_names(self._reported)
        return {name: AggregatedMetric(self._metrics, name) for name in names}

    def higher_is_better(self) -> dict[str, bool]:
        """Return for each metric with a better direction whether it is upwards."""
        specs = {name: find_metric_spec(name, self.family.metrics) for name in self._reported}
        return {
            result_name(name): spec.better == "higher"
            for name, spec in specs.items()
            if spec is not None and spec.better is not None
        }

    @property
    def _by_likelihood(self) -> bool:
        """Whether options are compared by their likelihood and no text is generated."""
        return bool(self.config.output_type == "multiple_choice")

    def plan(self, task: str, values: JsonObject) -> Plan:
        """Return the questions of a run.

        Args:
            task: The family's task.
            values: The value of every parameter. The run's record holds what the method leaves in
                it.
        """
        plan = self.family.plan(task, values, likelihoods=self._by_likelihood)
        if any(isinstance(question.source, Request) for question in plan.questions):
            raise ValueError("rewording during the run needs Inspect's model roles: omit `live`")
        return plan

    def example_outcome(self, question: Question) -> AnyOutcome:
        """Return an outcome such that a run of its like has every metric of the task."""
        return self.family.example_outcome(question.scoring_data)

    def calls(self, plan: Plan) -> int:
        """Return the number of requests: one per question, or one per option that is compared."""
        per_question = len(self.config.doc_to_choice) if self._by_likelihood else 1
        return per_question * len(plan.questions)

    def doc(self, question: Question) -> JsonObject:
        """Return the document of a question; in a shard with its index in the whole run."""
        data = json.dumps(question.scoring_data.to_dict(), ensure_ascii=False)
        document = {"id": question.id, "prompt": question.prompt, "gold": question.gold}
        position = {POSITION: self._positions[question.id]} if self._positions else {}
        return {**document, SCORING_DATA: data, **position}

    def download(self, dataset_kwargs: RawRecord | None = None, **_: object) -> None:
        """Build the documents. Only pinned data files are downloaded."""
        fixed = dict(dataset_kwargs or {})
        task, family = fixed.pop("task", None), fixed.pop("family", None)
        self.family: AnyFamily = import_family(family) if family else family_of_task(task)
        try:
            values = self._read_values(task, fixed)
            shard = values.pop(SHARD, None)
            whole_plan = self.plan(task, values)
            record_values = values if shard is None else {**values, SHARD: shard}
            whole_record = run_record(self.family, task, record_values, whole_plan)
            plan, record, self._positions = plan_shard(whole_plan, whole_record, shard)
        except DataError as error:
            error.add_note('In lm-eval, -T NAME=VALUE is --metadata \'{"NAME": "VALUE"}\'')
            raise
        for note in filter(None, (*plan.notes, many_calls_notice(task, self.calls(plan)))):
            logger.warning("%s: %s", self.config.task, note)
        if not self._by_likelihood and (record["answer_limit"] or plan.stop_sequences):
            self._set_generation(record["answer_limit"], plan.stop_sequences)
        self._task_spec = self.family.tasks[task]
        self._questions = {question.id: question for question in plan.questions}
        self._repeat_counts = Counter(
            (question.prompt, _variant_part(question.id))
            for question in whole_plan.questions
            if question.repeats
        )
        self._options = self._task_spec.metric_options(values)
        self.dataset = {"test": Dataset.from_list([*map(self.doc, plan.questions)])}
        self.config.metadata[RECORD] = record
        self.VERSION = task_version(record)
        self._unchecked.add(self)

    def requests(self, doc: RawRecord, ctx: Any, **options: Any) -> Any:
        """Return the requests that lm-eval makes of a document."""
        return super().construct_requests(doc, ctx, **options)

    def construct_requests(self, doc: RawRecord, ctx: str, **options: Any) -> Any:
        """Return the requests of a document, with its question for simulated models.

        The question is not logged. The request of a repeated prompt has its own key in lm-eval's
        cache.
        """
        requests = self.requests(doc, ctx, **options)
        question = self._questions[doc["id"]]
        for request in requests if isinstance(requests, list) else [requests]:
            request.question = question
        if question.repeats and isinstance(requests, Instance):
            variant = _variant_part(doc["id"])
            is_unique = self._repeat_counts[question.prompt, variant] == 1
            return with_cache_key(requests, variant if is_unique else doc["id"])
        return requests

    def apply_filters(self) -> Any:
        """Apply lm-eval's filters; drop lone surrogates, which would truncate the samples file."""
        for request in self.instances:
            request.resps = [encodable(r) if isinstance(r, str) else r for r in request.resps]
        return super().apply_filters()

    def process_results(self, doc: JsonObject, results: Sequence[Any]) -> dict[str, OutcomeScore]:
        """Return the answer's own value of every metric, and log its outcome.

        An answer to a request that failed has neither a value nor an outcome.
        """
        if any(result is None for result in results):  # the request failed: there is no answer
            doc[OUTCOME] = None
            return score_outcome(self.aggregation(), {}, None)
        outcome = self.score_answer(doc, results)
        # lm-eval logs the document as it is now. Next to the score it would be another metric.
        doc[OUTCOME] = outcome.to_dict()
        values = self.family.answer_values(outcome, self._variants)
        return score_outcome(self.aggregation(), values, outcome)

    def score_answer(self, doc: RawRecord, results: Sequence[Any]) -> AnyOutcome:
        """Return the outcome of the answer to a document, from the results of its requests."""
        if self._by_likelihood:
            answer = Answer(likelihoods=tuple(likelihood for likelihood, _ in results))
        else:
            answer = Answer.from_document(doc, results[0])
        return self.family.score_answer(read_scoring_data(self.family, doc), answer)

    def build_all_requests(self, *, tokenizer_name: str = "", **options: Any) -> None:
        """Build the requests under their own key in lm-eval's cache (`--cache_requests`).

        lm-eval recognizes cached requests by little more than the task's name. The tokenizer's name
        is used for that key alone, so a digest of the prompts is appended to it.
        """
        processes, docs = options.get("world_size", 1), len(self.eval_docs)
        if processes > docs:  # raised in all: one that raised alone would leave the others waiting
            raise ValueError(
                f"{self.config.task}: there are {docs:,} questions for {processes:,} processes: "
                "use fewer processes or fewer shards"
            )
        self._begin_run()
        run_digest = digest(json.dumps(self.dump_config(), default=str), options.get("samples"))
        super().build_all_requests(tokenizer_name=f"{tokenizer_name}-{run_digest}", **options)
        if processes == 1:  # lm-eval counts the requests of a task to give all processes as many
            self._share_requests()

    def compute_metrics(self, outcomes: Sequence[AnyOutcome]) -> Mapping[str, Estimate]:
        """Return all metrics, keep them for the results file, and report many unparsed answers."""
        computed = self.family.compute_metrics(outcomes, self._options)
        metrics = with_headline(computed, self._headline)
        self.config.metadata[RECORD][RECORD_METRICS] = metrics_to_json(metrics)
        findings = self.family.findings(outcomes, self._options)
        notices = (unparsed_notice(self.family, outcomes), *findings)
        for notice in filter(None, () if notices == self._last_notices else notices):
            logger.warning("%s: %s", self.config.task, notice)
        self._last_notices = notices
        return metrics

    def spec(self, task: str) -> TaskSpec:
        """Return the declaration of the family's task, with the parameters that lm-eval adds."""
        spec = self.family.tasks[task]
        return replace(spec, parameters=(*spec.parameters, *self.ADDED, REASONING))

    def _set_generation(self, limit: int, stop_sequences: Sequence[str]) -> None:
        """Set the token limit unless the YAML file has one, and stop sequences.

        Args:
            limit: Tokens of the longest answers; 0 if not known, as of a probed task.
            stop_sequences: Where generation stops; empty to leave it as it is.
        """
        if limit and self.config.metadata.get(REASONING.name):
            limit += AnswerLength.of_kind("thinking").limit
        limits = {"max_gen_toks": limit} if limit else {}
        until = {"until": list(stop_sequences)} if stop_sequences else {}
        self.config.generation_kwargs = limits | (self.config.generation_kwargs or {}) | until

    def _read_values(self, task: str, fixed: ParameterValues) -> JsonObject:
        """Return the value of every parameter of the task, and note which keys it reads."""
        spec = self.spec(task)
        spec.values(fixed)  # a misspelt name in a YAML file is as wrong as one of the user's
        self._metadata = dict(self.config.metadata)
        self._known_names = [parameter.name for parameter in spec.parameters]
        read = read_parameters(self._metadata, spec.parameters, fixed, str(self.config.task))
        values = dict(spec.values(read))
        del values[REASONING.name]
        return values

    def _begin_run(self) -> None:
        """Check the keys of the metadata, and report notices, once all tasks are loaded."""
        if self not in self._unchecked:
            return
        tasks = [*self._unchecked]
        self._unchecked.clear()
        requests: dict[str, Instance] = {}
        for task in tasks:
            task._run_requests = requests
        known = dict.fromkeys(name for task in tasks for name in task._known_names)
        check_keys(self._metadata, known, warn=not any(task.PASSES_ON for task in tasks))
        for notice in dict.fromkeys(notice for task in tasks for notice in task._run_notices):
            logger.warning(notice)

    def _share_requests(self) -> None:
        """Ask no request that an earlier task of the run asks, and take that one's answer.

        Repeats are asked: an answer that is copied would repeat itself. Nor are requests shared
        whose token limits differ.
        """
        own_requests = {}
        for request in self.instances:
            if request.question.repeats or request.repeats != 1:
                continue
            key = hash_args(request.request_type, request.args)
            earlier = self._run_requests.get(key)
            # Tasks can be run again: requests of an earlier run have answers, or are this task's.
            if earlier and not earlier.resps and earlier.task_name != request.task_name:
                request.repeats, request.resps = 0, earlier.resps
            else:
                own_requests[key] = request
        self._run_requests.update(own_requests)
        if n_shared := sum(request.repeats == 0 for request in self.instances):
            logger.info(
                "%s: earlier tasks of this run ask %d of %d requests",
                self.config.task,
                n_shared,
                len(self.instances),
            )


def _variant_part(question_id: str) -> str:
    return question_id.rpartition("/")[2]


def with_cache_key(request: Instance, key: str) -> Instance:
    """Return a request with its own key in lm-eval's cache (`--use_cache`).

    Without it, repeats of a prompt would get one answer when the run is repeated. The request gets
    one more stop sequence, which no answer contains, so that nothing else changes.

    Args:
        request: The request of a repeated prompt.
        key: What distinguishes it from the other repeats.
    """
    stops = request.args[1].get("until")
    stops = [stops] if isinstance(stops, str) else list(stops or ())
    request.args[1]["until"] = [*stops, f"<|{key}|>"]
    return request
