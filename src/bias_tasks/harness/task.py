"""The task class behind the YAML of every family."""

import json
import logging
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from datasets import Dataset
from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask

from bias_tasks.contract.family import Answer, Family, Outcome, Plan, Question, Request
from bias_tasks.contract.figures import ITEMS, block, figure_of
from bias_tasks.contract.parameters import SHARD, TaskSpec
from bias_tasks.contract.record import (
    FIGURES,
    FIGURES_OF,
    RECORD,
    many_calls,
    run_record,
    unread_notice,
    version_of,
)
from bias_tasks.contract.shards import PLACE, asked_in_part
from bias_tasks.data.errors import DataError
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.families import family_of_task, load_family
from bias_tasks.harness.figures import STDERR, Figures, OutcomeScore
from bias_tasks.harness.parameters import read_parameters
from bias_tasks.names import digest, encodable, names_in
from bias_tasks.statistics.estimate import Estimate, written

OUTCOME = "outcome"
"""Name in a logged sample's document of the answer's outcome."""

# Below the harness's own logger, so that it prints what is said here.
logger = logging.getLogger("lm_eval.bias_tasks")


class FamilyTask(ConfigurableTask):  # type: ignore[misc]
    """A task whose questions, reading of answers and figures are a family's, shared with Inspect.

    The YAML's `dataset_kwargs` name the family's `task` and the parameters that the YAML task's
    name says; `figures_of` where figures of one variant alone are wanted, and `family` for one of
    another package. The user's parameters come through `--metadata`.

    A document is `{id, prompt, gold, facts}`: facts is what reading its answer takes, as JSON. No
    second model judges what rules cannot read, nor is it known whether an answer was cut.
    """

    TAKES: ClassVar[frozenset[str]] = frozenset()
    """Parameters of groups that this class has a use for, though the family's task has not."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        own = {name: value for name, value in config.items() if name != "class"}
        super().__init__(config=own)
        # Of several processes each metric's scores come apart: one notice is enough.
        self._said: str | None = None
        self._figures = Figures(self._worked_out)
        outcomes = [self.family.outcome_with_all_figures(q.facts) for q in self._questions.values()]
        card = self.family.scorecard(outcomes, self._options)
        self._shown = block(self._task_spec, self.family.figures, card)

    def aggregation(self) -> dict[str, Any]:
        """What makes each figure of the values of all documents."""
        # A metric with the name of a figure's standard error is printed beside the figure.
        names = [*self._shown, *(f"{name}{STDERR}" for name in self._shown), ITEMS.name]
        return {name: partial(self._figures, name) for name in names}

    def higher_is_better(self) -> dict[str, bool]:
        """Of each figure that has a better direction whether it is upwards."""
        figures = {name: figure_of(name, self.family.figures) for name in self._shown}
        better = {name: each.better for name, each in figures.items() if each is not None}
        return {name: each == "higher" for name, each in better.items() if each is not None}

    @property
    def _by_likelihood(self) -> bool:
        """Whether answers are compared by their likelihood, and none is written."""
        return bool(self.config.output_type == "multiple_choice")

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The questions of a run of the family's `task`; the record says what stands in `values`
        afterwards."""
        planned = self.family.plan(task, values, likelihoods=self._by_likelihood)
        if any(isinstance(question.source, Request) for question in planned.questions):
            raise ValueError("rewordings in the run need Inspect's model roles: leave `live` out")
        return planned

    def calls(self, planned: Plan) -> int:
        """How many requests a run makes: one a question, or one for each answer to compare."""
        each = len(self.config.doc_to_choice) if self._by_likelihood else 1
        return each * len(planned.questions)

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question`; in a part of the run with its place in the whole."""
        return {
            "id": question.id,
            "prompt": question.prompt,
            "gold": question.gold,
            "facts": json.dumps(question.facts, ensure_ascii=False),
            **({PLACE: self._places[question.id]} if self._places else {}),
        }

    def download(self, dataset_kwargs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Build the documents; nothing but pinned data files is fetched."""
        fixed = dict(dataset_kwargs or {})
        task, named, alone = (fixed.pop(name, None) for name in ("task", "family", FIGURES_OF))
        self.family: Family = load_family(named) if named else family_of_task(task)
        spec = self.spec(task)
        try:
            spec.values(fixed)  # a misspelt name in a YAML file is as wrong as one of the user's
            values = spec.values(read_parameters(self.config.metadata, spec.parameters, fixed))
            values = self._of_task(task, values)
            part = {name: values.pop(name) for name in (SHARD,) if name in values}
            whole = self.plan(task, values)
            record = run_record(self.family, task, values | part, whole)
            planned, record, self._places = asked_in_part(whole, record, part.get(SHARD))
        except DataError as error:
            error.add_note('In lm-eval, -T NAME=VALUE is --metadata \'{"NAME": "VALUE"}\'')
            raise
        for note in filter(None, (*planned.notes, many_calls(task, self.calls(planned)))):
            logger.warning("%s: %s", self.config.task, note)
        if planned.stops and not self._by_likelihood:
            asked = self.config.generation_kwargs or {}
            self.config.generation_kwargs = {**asked, "until": list(planned.stops)}
        self._task_spec = self.family.tasks[task]
        self._questions = {question.id: question for question in planned.questions}
        self._keys = Counter((q.prompt, _variant(q.id)) for q in whole.questions if q.repeats)
        self._options = self._task_spec.for_figures(values) | {FIGURES_OF: alone}
        self.dataset = {"test": Dataset.from_list([*map(self.doc, planned.questions)])}
        self.config.metadata[RECORD] = record | ({} if alone is None else {FIGURES_OF: alone})
        self.VERSION = version_of(record)

    def requests(self, doc: Mapping[str, Any], ctx: Any, **options: Any) -> Any:
        """What the harness makes of a document."""
        return super().construct_requests(doc, ctx, **options)

    def construct_requests(self, doc: Mapping[str, Any], ctx: str, **options: Any) -> Any:
        """The requests of a document, with the question for a simulated respondent, which is not
        logged; a repeat's has a key of its own in the harness's cache."""
        requests = self.requests(doc, ctx, **options)
        question = self._questions[doc["id"]]
        for request in requests if isinstance(requests, list) else [requests]:
            request.question = question
        if question.repeats and isinstance(requests, Instance):
            name = _variant(doc["id"])
            alone = self._keys[question.prompt, name] == 1
            return cache_busting(requests, name if alone else doc["id"])
        return requests

    def apply_filters(self) -> Any:
        """As the harness does, without lone surrogates, which would cut the samples file."""
        for request in self.instances:
            request.resps = [encodable(r) if isinstance(r, str) else r for r in request.resps]
        return super().apply_filters()

    def process_results(self, doc: dict[str, Any], results: Sequence[Any]) -> dict[str, Any]:
        """The answer's score under the name of every figure that it is part of; its outcome is put
        into the document."""
        outcome = self.outcome(doc, results)
        score = OutcomeScore(math.nan if outcome.score is None else outcome.score, outcome)
        # The document is logged as it stands here; beside the score it would be another metric.
        doc[OUTCOME] = outcome.to_dict()
        return dict.fromkeys(self.aggregation(), score)

    def outcome(self, doc: Mapping[str, Any], results: Sequence[Any]) -> Outcome:
        """What the answer to a document came to, from the results of its requests."""
        if self._by_likelihood:
            answer = Answer(likelihoods=tuple(likelihood for likelihood, _ in results))
        else:  # None where a server gave no text
            answer = Answer(results[0] or "", prompt=doc["prompt"])
        return self.family.outcome(json.loads(doc["facts"]), answer)

    def build_all_requests(self, *, tokenizer_name: str = "", **options: Any) -> None:
        """As the harness does, but under a key of its own in its cache (`--cache_requests`), which
        knows requests by little more than the task's name: what is asked is put behind that of the
        tokenizer, which goes into that key and nowhere else."""
        processes, docs = options.get("world_size", 1), len(self.eval_docs)
        if processes > docs:  # said by all: one that did alone would leave the others waiting
            raise ValueError(
                f"{self.config.task}: there are {docs:,} questions for {processes:,} processes: "
                "take fewer processes or fewer shards"
            )
        asked = digest(json.dumps(self.dump_config(), default=str), options.get("samples"))
        super().build_all_requests(tokenizer_name=f"{tokenizer_name}-{asked}", **options)

    def _worked_out(self, outcomes: Sequence[Outcome]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes, which is kept for the results file, too; says that many
        answers could not be read."""
        card = self.family.scorecard(outcomes, self._options)
        self.config.metadata[RECORD][FIGURES] = written(card)
        notice = unread_notice(self.family, outcomes)
        if notice is not None and notice != self._said:
            logger.warning("%s: %s", self.config.task, notice)
            self._said = notice
        return card

    def spec(self, task: str) -> TaskSpec:
        """The family's task, with what groups add to its parameters."""
        spec = self.family.tasks[task]
        own = {parameter.name for parameter in spec.parameters}
        more = (each for each in self.family.in_groups if each.name not in own)
        return replace(spec, parameters=(*spec.parameters, *more))

    def _of_task(self, task: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values that the task has a use for; of the others that are given it says so."""
        own = {each.name for each in self.family.tasks[task].parameters} | self.TAKES
        for each in self.family.in_groups:
            if each.name not in own and values[each.name] != each.default:
                logger.warning("%s: `%s` changes nothing in this task", self.config.task, each.name)
        return {name: value for name, value in values.items() if name in own}


class OwnFile(FamilyTask):
    """A task that asks the user's own file alone; other data sets have tasks of their own."""

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The questions of this run; a ValueError where something else is given than files."""
        for name in names_in(values["data"]):
            if not name.lower().endswith(FILE_ENDINGS):
                raise ValueError(
                    f"data={name!r} in --metadata: expected your own file "
                    f"({', '.join(FILE_ENDINGS)}); other data sets have tasks of their own"
                )
        return super().plan(task, values)


def _variant(identifier: str) -> str:
    return identifier.rpartition("/")[2]


def cache_busting(request: Instance, name: str) -> Instance:
    """The request with a key of its own, by `name`, in the harness's cache (`--use_cache`), where
    repeats of a prompt would get one answer on a later run: it also stops at a text that no answer
    has in it, which changes nothing else."""
    stops = request.args[1].get("until")
    stops = [stops] if isinstance(stops, str) else list(stops or ())
    request.args[1]["until"] = [*stops, f"<|{name}|>"]
    return request
