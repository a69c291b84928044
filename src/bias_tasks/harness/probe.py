"""`bias_probe`: another task of the harness, each item asked plain, again and under probes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lm_eval.api.task import ConfigurableTask

from bias_tasks.contract.family import Outcome, Plan, Question
from bias_tasks.harness.probed_doc import OTHERS, ProbedDoc, Rendered, drawn_docs, ids_of
from bias_tasks.harness.probed_task import (
    asked_as,
    chosen_metric,
    described,
    example_draws,
    filters_of,
    likeliest,
    probed_task,
    said,
    score_of,
)
from bias_tasks.harness.task import FamilyTask, logger
from bias_tasks.names import digest, encodable
from bias_tasks.probing.answers import as_the_task_reads, content_of
from bias_tasks.probing.family import CERTAIN, outcome_of
from bias_tasks.probing.formats import lead_in
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.plan import PROTOCOL, ProbedQuestion, plan_probes, probed_run
from bias_tasks.statistics.estimate import Estimate

_FILTER = "none"
"""The name of the filter in the harness's tables, as with every task of ours."""
_OF_OURS = frozenset({"version", "config_source", "description"})
"""What the metadata of a task say of its own YAML file."""
_CERTAIN_NOTE = (
    "likelihoods are the same again, so that nothing is asked again: `repeats` changes nothing, "
    "and noise counts as none"
)


class _Asking(NamedTuple):
    """A question with what the probed task makes of it."""

    question: ProbedQuestion
    place: int
    """Of its document in the probed task's split."""
    probed: ProbedDoc
    made: Rendered

    @property
    def text(self) -> str:
        """What it asks, without examples and what else a run puts in front."""
        made, system = self.made, self.question.asked.system
        text = made.text if isinstance(made.text, str) else "\n".join(made.choices)
        return f"{system}\n\n{text}" if system else text


class ProbeTask(FamilyTask):
    """A task of the harness under probes, asked and scored in all else as that task has it: its
    document becomes one of ours for each way of asking. A ValueError where the task can't be
    probed, a DataError where its data can't be had."""

    TAKES = frozenset({"metric", "include_path"})

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The questions about the probed task's items, after it was loaded."""
        own = {each.name for each in self.spec(task).parameters} | _OF_OURS
        others = {name: each for name, each in self.config.metadata.items() if name not in own}
        self.probed: ConfigurableTask = probed_task(values["task"], values["include_path"], others)
        self._take_over(self.probed)
        self._metric = chosen_metric(self.probed, values["metric"])
        seed = values["seed"]
        docs = drawn_docs(self.probed, self.spec(task).items_asked(values), seed)
        planned = plan_probes(
            values,
            [doc.item for _, doc in docs.values()],
            [doc.item for _, doc in drawn_docs(self.probed, OTHERS, seed, docs).values()],
            task=str(self.probed.config.task),
            ids=ids_of(self.probed),
            likelihoods=self._by_likelihood,
            once=True,
        )
        self._asking: dict[str, _Asking] = {}
        for each in planned.questions:
            place, doc = docs[each.item.id]
            self._asking[each.id] = _Asking(each, place, doc, doc.asked(each.asked))
        self._probes, values["protocol"] = planned.probes, PROTOCOL
        told = described(self.probed, self._metric)
        plan = probed_run(
            planned,
            [(each.text, each.made.told) for each in self._asking.values()],
            task=str(values["task"]),
            provenance=told,
            notes=self._notes(),
        )
        # What is told changes what is asked or what an answer comes to, and is in no question.
        questions = tuple(map(self._with_choices, plan.questions))
        return replace(plan, questions=questions, later=(digest(told),))

    def _with_choices(self, asked: Question) -> Question:
        """With what else this host's log says: the choices, and whether asking again is of use."""
        asking = self._asking[asked.id]
        more = {"choices": list(asking.made.choices), CERTAIN: self._certain(asking)}
        return replace(asked, facts={**asked.facts, **more})

    def calls(self, planned: Plan) -> int:
        """One a question, or one for each choice that is compared."""
        asked = (self._asking[each.id].probed.own.choices for each in planned.questions)
        return sum(len(choices) if self._by_likelihood else 1 for choices in asked)

    def fewshot_docs(self) -> None:
        """None of ours: examples are the probed task's."""

    def set_fewshot_seed(self, seed: int | None = None) -> None:
        """Of the examples in front of the probed task's items."""
        super().set_fewshot_seed(seed)
        self.probed.set_fewshot_seed(seed)
        self.config.metadata["fewshot_seed"] = seed  # which tells apart what the harness caches

    def build_all_requests(self, **options: Any) -> None:
        """As the harness does, with the few-shot examples that it would show each item."""
        places = {each.place for each in self._asking.values()}
        self._draws = example_draws(self.probed, places, self.config.num_fewshot or 0)
        super().build_all_requests(**options)

    def fewshot_context(
        self, doc: Mapping[str, Any], system_instruction: str | None = None, **options: Any
    ) -> Any:
        """The whole prompt of a document, as the probed task makes it of what is asked."""
        question, place, probed, made = self._asking[doc["id"]]
        if place in self._draws:
            self.probed.sampler.rnd.setstate(self._draws[place])
        system = system_instruction
        if first := question.asked.system:
            # Without a chat template the harness leaves nothing between it and what follows.
            apart = system or not options.get("apply_chat_template")
            system = f"{first}\n\n{system or ''}" if apart else first
        with asked_as(self.probed, probed.doc, made.methods) as task:
            own = {"system_instruction": system, "gen_prefix": task.doc_to_prefix(probed.doc)}
            return task.fewshot_context(probed.doc, **options | own)

    def requests(self, doc: Mapping[str, Any], ctx: Any, **options: Any) -> Any:
        """The probed task's own requests, in the name of our document."""
        _, _, probed, made = self._asking[doc["id"]]
        with asked_as(self.probed, probed.doc, made.methods) as task:
            requests = task.construct_requests(probed.doc, ctx, **options)
        for request in requests if isinstance(requests, list) else [requests]:
            request.doc = dict(doc)
        return requests

    def apply_filters(self) -> None:
        """The first of the probed task's filters, on answers as that task would have had them."""
        filtered = filters_of(self.probed)[0]
        copies = [self._for_filter(request) for request in self.instances]
        filtered.apply(copies)
        for request, copy in zip(self.instances, copies, strict=True):
            request.filtered_resps = {_FILTER: copy.filtered_resps[filtered.name]}

    def outcome(self, doc: Mapping[str, Any], results: Sequence[Any]) -> Outcome:
        """The answer's outcome by the probed task's `process_results`."""
        question, _, probed, made = asking = self._asking[doc["id"]]
        with asked_as(self.probed, probed.doc, made.methods) as task:
            own_way = callable(task.config.process_results)
            ordered = probed.in_own_order(results, question.asked) if own_way else list(results)
            metrics = task.process_results(probed.doc, ordered)
        score, problem = score_of(metrics, self._metric)
        answer, why = None, "the task's filter found none"
        if self._by_likelihood:
            chosen, why = likeliest(results, made.choices, self._metric)
            answer = f"#{probed.place(chosen, question.asked)}"
        elif (read := said(results[0])) is not None:
            why = "the task's own filter"
            answer = content_of(question.item, question.asked, read, question.item.labels)
        why = f"{why}; {problem}" if problem else why
        certain = self._certain(asking)
        return outcome_of(question, answer, score, why, probes=self._probes, certain=certain)

    def _worked_out(self, outcomes: Sequence[Outcome]) -> Mapping[str, Estimate]:
        """As every task of ours; says that answers have no score, too."""
        unscored = [each.why.rpartition("; ")[2] for each in outcomes if each.score is None]
        if unscored:
            logger.warning(
                "%s: %d of %d answers have no score, the first since %s; `metric` in --metadata "
                "chooses another metric",
                *(self.config.task, len(unscored), len(outcomes), unscored[0]),
            )
        return super()._worked_out(outcomes)

    def _take_over(self, task: ConfigurableTask) -> None:
        """What the harness looks for in the task that it runs."""
        self.OUTPUT_TYPE = self.config.output_type = task.OUTPUT_TYPE
        for name in ("num_fewshot", "repeats", "generation_kwargs"):
            # The very same arguments, since `--gen_kwargs` changes them in place.
            setattr(self.config, name, getattr(task.config, name))
        if getattr(task, "UNSAFE_CODE", False):
            self.UNSAFE_CODE = True

    def _certain(self, asking: _Asking) -> bool:
        return self._by_likelihood and asking.question.variant == PLAIN

    def _for_filter(self, request: Any) -> Any:
        """A copy of a request with its answers as the probed task reads them, and its document."""
        question, _, probed, _ = self._asking[request.doc["id"]]
        item, asked, answers = question.item, question.asked, request.resps
        if not self._by_likelihood:
            request.resps = [encodable(each or "") for each in request.resps]
            lead = lead_in(str(probed.own.text))
            answers = [
                as_the_task_reads(asked, each, item.labels, item, lead) for each in request.resps
            ]
        return replace(request, resps=answers, filtered_resps={}, doc=probed.as_shown(asked))

    def _notes(self) -> list[str]:
        """What must be said wherever the figures are shown."""
        if self._by_likelihood:
            return [_CERTAIN_NOTE]
        first, *others = (each.name for each in filters_of(self.probed))
        return [f"scored by the task's filter {first}, not by {', '.join(others)}"] * bool(others)
