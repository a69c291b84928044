"""`bias_probe`: another task of lm-eval under probes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lm_eval.api.task import ConfigurableTask

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.contract.parameters import Parameter
from bias_tasks.contract.questions import Plan
from bias_tasks.data.files import RawRecord
from bias_tasks.digests import digest
from bias_tasks.harness.parameters import YAML_KEYS, logger
from bias_tasks.harness.probed_doc import (
    MAX_EXAMPLE_DOCS,
    ProbedDoc,
    RenderedDoc,
    draw_docs,
    find_ids,
)
from bias_tasks.harness.probed_task import (
    describe_task,
    find_filters,
    find_likeliest,
    load_probed_task,
    override_methods,
    parse_filtered,
    parse_score,
    record_example_draws,
    select_metric,
)
from bias_tasks.harness.task import FamilyTask
from bias_tasks.probing.answers import explain_unparsed, normalize_answer, restore_task_form
from bias_tasks.probing.family import ProbeExtra, build_outcome
from bias_tasks.probing.formats import find_lead
from bias_tasks.probing.items import BASELINE, ProbeData
from bias_tasks.probing.plan import PROTOCOL, build_plan, plan_probes
from bias_tasks.prompts.edits import surround
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.unicode_text import encodable

_FILTER = "none"
"""Name of the filter in lm-eval's tables, the same as for every task of this package."""
_DETERMINISTIC_NOTE = (
    "likelihoods do not change between repeats, so there are none: `repeats` has no effect, and "
    "the noise is 0"
)


class _RenderedQuestion(NamedTuple):
    """A question with the probed task's prompt for it."""

    data: ProbeData
    probed: ProbedDoc
    rendered: RenderedDoc

    @property
    def text(self) -> str:
        """Its text, without examples and whatever else a run puts before it."""
        text = self.rendered.text
        if not isinstance(text, str):
            text = "\n".join(self.rendered.choices)
        return surround(text, before=self.data.perturbation.system)


class ProbeTask(FamilyTask):
    """A task of lm-eval under probes.

    Each of its documents becomes one document per variant. Prompts and scores are otherwise those
    of the probed task.

    Raises:
        ValueError: The task cannot be probed.
        DataError: The task's data are not available.
    """

    ADDED = (
        Parameter(
            "metric",
            "text",
            None,
            "the task's metric to use as the score; its values per answer are between 0 and 1",
        ),
        Parameter(
            "include_path",
            "text",
            None,
            "folder of the task's YAML file, searched before those of `--include_path`",
        ),
    )
    PASSES_ON = True

    def plan(self, task: str, values: JsonObject) -> Plan:
        """Return the questions about the probed task's items, after loading that task."""
        own_names = {parameter.name for parameter in self.spec(task).parameters} | YAML_KEYS
        metadata = {
            name: value for name, value in self.config.metadata.items() if name not in own_names
        }
        self.probed: ConfigurableTask = load_probed_task(
            values["task"], values["include_path"], metadata
        )
        self._copy_settings(self.probed)
        self._metric = select_metric(self.probed, values["metric"])
        seed = values["seed"]
        docs = draw_docs(self.probed, self.spec(task).items_asked(values), seed)
        example_docs = draw_docs(self.probed, MAX_EXAMPLE_DOCS, seed, docs)
        planned = plan_probes(
            values,
            [doc.item for doc in docs.values()],
            [doc.item for doc in example_docs.values()],
            task=str(self.probed.config.task),
            ids=find_ids(self.probed),
            likelihoods=self._by_likelihood,
            single_call=True,
        )
        rendered = [self._render(docs[data.item], data) for data in planned.questions]
        self._rendered = {question.data.question_id: question for question in rendered}
        self._texts: dict[str, str] = {}
        self._probes, values["protocol"] = planned.probes, PROTOCOL
        description = describe_task(self.probed, self._metric)
        plan = build_plan(
            replace(planned, questions=tuple(question.data for question in rendered)),
            [(question.text, question.rendered.target_text) for question in rendered],
            task=str(values["task"]),
            provenance=description,
            notes=self._build_notes(),
        )
        # The description is in the digest: it changes prompts or outcomes, and is in no question.
        return replace(plan, later_templates=(digest(description),))

    def _render(self, doc: ProbedDoc, data: ProbeData) -> _RenderedQuestion:
        """Return a question with its prompt and the choices that are compared."""
        rendered = doc.perturb(data.perturbation)
        data = replace(
            data,
            compared_choices=rendered.choices,
            deterministic=self._by_likelihood and data.variant == BASELINE,
        )
        return _RenderedQuestion(data, doc, rendered)

    def calls(self, planned: Plan) -> int:
        """Return the number of requests: one per question, or one per compared choice."""
        if not self._by_likelihood:
            return len(planned.questions)
        docs = (self._rendered[question.id].probed for question in planned.questions)
        return sum(len(doc.original.choices) for doc in docs)

    def fewshot_docs(self) -> None:
        """Return None: the probed task has the examples."""

    def set_fewshot_seed(self, seed: int | None = None) -> None:
        """Seed the examples before the probed task's items."""
        super().set_fewshot_seed(seed)
        self.probed.set_fewshot_seed(seed)
        self.config.metadata["fewshot_seed"] = seed  # part of the key of lm-eval's request cache

    def build_all_requests(self, **options: Any) -> None:
        """Build the requests with the few-shot examples that lm-eval would show for each item."""
        positions = {question.probed.position for question in self._rendered.values()}
        self._draws = record_example_draws(self.probed, positions, self.config.num_fewshot or 0)
        super().build_all_requests(**options)

    def fewshot_context(
        self, doc: RawRecord, system_instruction: str | None = None, **options: Any
    ) -> Any:
        """Return the whole prompt of a document as the probed task builds it."""
        data, probed, rendered = self._rendered[doc["id"]]
        if probed.position in self._draws:
            self.probed.sampler.rnd.setstate(self._draws[probed.position])
        system = system_instruction
        if probe_system := data.perturbation.system:
            # Without a chat template, lm-eval puts nothing between it and the text after it.
            if system or not options.get("apply_chat_template"):
                system = f"{probe_system}\n\n{system or ''}"
            else:
                system = probe_system
        with override_methods(self.probed, probed.doc, rendered.methods) as task:
            options |= {"system_instruction": system, "gen_prefix": task.doc_to_prefix(probed.doc)}
            return task.fewshot_context(probed.doc, **options)

    def requests(self, doc: RawRecord, ctx: Any, **options: Any) -> Any:
        """Return the probed task's requests, with the document of this task."""
        _, probed, rendered = self._rendered[doc["id"]]
        with override_methods(self.probed, probed.doc, rendered.methods) as task:
            requests = task.construct_requests(probed.doc, ctx, **options)
        for request in requests if isinstance(requests, list) else [requests]:
            request.doc = dict(doc)
        return requests

    def apply_filters(self) -> None:
        """Apply the first of the probed task's filters to answers in that task's form."""
        first_filter = find_filters(self.probed)[0]
        self._texts = {request.doc["id"]: str(request.resps[0]) for request in self.instances}
        copies = [self._copy_for_filter(request) for request in self.instances]
        first_filter.apply(copies)
        for request, copy in zip(self.instances, copies, strict=True):
            request.filtered_resps = {_FILTER: copy.filtered_resps[first_filter.name]}

    def score_answer(self, doc: RawRecord, results: Sequence[Any]) -> Outcome[ProbeExtra]:
        """Score an answer with the probed task's own `process_results`.

        The probe may have reordered the choices: their likelihoods are put back into the order that
        the task knows, and the answer is named by its number in the unperturbed item.

        Args:
            doc: The row of lm-eval.
            results: What lm-eval got for it: likelihoods of the choices, or the filtered text.
        """
        data, probed, rendered = self._rendered[doc["id"]]
        with override_methods(self.probed, probed.doc, rendered.methods) as task:
            ordered = list(results)
            if callable(task.config.process_results):
                ordered = probed.restore_order(results, data.perturbation)
            metrics = task.process_results(probed.doc, ordered)
        score, problem = parse_score(metrics, self._metric)
        answer, parser = None, "the task's own filter"
        explanation = explain_unparsed(parser, self._texts.get(doc["id"], ""))
        if self._by_likelihood:
            chosen, explanation = find_likeliest(results, rendered.choices, self._metric)
            answer = f"#{probed.find_choice(chosen, data.perturbation)}"
        elif (filtered := parse_filtered(results[0])) is not None:
            explanation = parser
            answer = normalize_answer(data, filtered, data.labels)
        return build_outcome(data, answer, score, explanation + problem, probes=self._probes)

    def compute_metrics(self, outcomes: Sequence[Outcome[ProbeExtra]]) -> Mapping[str, Estimate]:
        """Return the metrics, and report answers without a score."""
        unscored = [outcome for outcome in outcomes if outcome.score is None]
        if unscored:
            logger.warning(
                "%s: %d of %d answers have no score; for the first, %s. Select another metric with "
                "`metric` in --metadata",
                self.config.task,
                len(unscored),
                len(outcomes),
                unscored[0].explanation,
            )
        return super().compute_metrics(outcomes)

    def _copy_settings(self, task: ConfigurableTask) -> None:
        """Copy the settings that lm-eval reads from the task that it runs."""
        self.OUTPUT_TYPE = self.config.output_type = task.OUTPUT_TYPE
        for name in ("num_fewshot", "repeats", "generation_kwargs"):
            # The same objects, since `--gen_kwargs` changes them in place.
            setattr(self.config, name, getattr(task.config, name))
        if getattr(task, "UNSAFE_CODE", False):
            self.UNSAFE_CODE = True

    def _copy_for_filter(self, request: Any) -> Any:
        """Return a request with its document and answers in the probed task's form."""
        data, probed, _ = self._rendered[request.doc["id"]]
        answers = request.resps
        if not self._by_likelihood:
            request.resps = [encodable(text or "") for text in request.resps]
            lead = find_lead(str(probed.original.text))
            answers = [restore_task_form(data, text, data.labels, lead) for text in request.resps]
        doc = probed.reorder_doc(data.perturbation)
        return replace(request, resps=answers, filtered_resps={}, doc=doc)

    def _build_notes(self) -> list[str]:
        """Return what a reader of the metrics must know."""
        if self._by_likelihood:
            return [_DETERMINISTIC_NOTE]
        first, *others = (filter_.name for filter_ in find_filters(self.probed))
        if not others:
            return []
        return [f"scored by the task's filter {first}, not by {', '.join(others)}"]
