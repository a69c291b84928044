"""`bias_probe`: another task of the harness, each item asked plain, again and under probes."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lm_eval.api.task import ConfigurableTask

from bias_tasks.contract.family import Outcome, Plan
from bias_tasks.harness.probed_doc import (
    ProbedDoc,
    Rendered,
    compares,
    drawn_docs,
    ids_of,
    other_items,
)
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
from bias_tasks.harness.task import FamilyTask
from bias_tasks.names import digest, encodable
from bias_tasks.probing.answers import as_the_task_reads, content_of
from bias_tasks.probing.family import CERTAIN, own_of
from bias_tasks.probing.formats import lead_in
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.plan import PROTOCOL, ProbedQuestion, plan_probes, probed_run
from bias_tasks.probing.probes import chosen_probes
from bias_tasks.probing.rewordings import read_rewordings
from bias_tasks.statistics.estimate import Estimate

_FILTER = "none"
"""The name of the filter in the harness's tables, as with every task of ours."""
_OF_OURS = frozenset({"version", "config_source", "description"})
"""What the metadata of a task say of its own YAML file."""
_CERTAIN_NOTE = (
    "likelihoods are the same again, so that nothing is asked again: `repeats` changes nothing, "
    "and noise counts as none"
)

# Below the harness's own logger, so that it prints what is said here.
logger = logging.getLogger("lm_eval.bias_tasks")


class ProbeTask(FamilyTask):
    """A task of the harness under probes, scored by its own filters and metrics.

    Its output type, few-shot examples, description, delimiters, generation arguments and requests
    are the probed task's. A document of the probed task becomes one of ours for each way of asking.

    Raises:
        ValueError: a parameter is unknown or has no such value, or the task can't be probed.
        DataError: the probed task's data can't be had.
    """

    TAKES = frozenset({"metric", "include_path"})

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The questions about the probed task's items, after it was loaded."""
        own = {each.name for each in self.spec(task).parameters} | _OF_OURS
        others = {name: each for name, each in self.config.metadata.items() if name not in own}
        self.probed: ConfigurableTask = probed_task(values["task"], values["include_path"], others)
        self._compares = compares(self.probed)
        self._take_over(self.probed)
        self._metric = chosen_metric(self.probed, values["metric"])
        rewordings = read_rewordings(values["rewordings"])
        probes = chosen_probes(
            values["probes"],
            likelihoods=self._compares,
            once=True,
            formats=values["formats"],
            rewordings=rewordings,
        )
        n, seed = self.spec(task).items_asked(values), values["seed"]
        self._docs = drawn_docs(self.probed, n, seed)
        items = [doc.item for _, doc in self._docs.values()]
        if rewordings is not None:
            rewordings.check_items(ids_of(self.probed), items, str(self.probed.config.task))
        shows_others = any(probe.shows_others for probe in probes)
        planned = plan_probes(
            items,
            probes,
            repeats=0 if self._compares else values["repeats"],
            seed=seed,
            others=other_items(self.probed, seed, self._docs) if shows_others else (),
            formats=values["formats"],
            rewordings=rewordings,
        )
        self._asked = {question.id: question for question in planned.questions}
        self._made = {each.id: self._doc(each.id).asked(each.asked) for each in planned.questions}
        self._probes = planned.probes
        values["protocol"] = PROTOCOL
        told = described(self.probed, self._metric)
        plan = probed_run(
            planned,
            [_text(each, self._made[each.id]) for each in planned.questions],
            [self._made[each.id].told for each in planned.questions],
            task=str(values["task"]),
            provenance=told,
            notes=self._notes(),
        )
        # What else this host's log says: the choices, and whether asking again is of use. What is
        # told changes what is asked or what an answer comes to, and is in no question.
        questions = [
            replace(
                each,
                facts={
                    **each.facts,
                    "choices": list(self._made[each.id].choices),
                    CERTAIN: self._certain(self._asked[each.id]),
                },
            )
            for each in plan.questions
        ]
        return replace(plan, questions=tuple(questions), later=(digest(told),))

    def calls(self, planned: Plan) -> int:
        """One a question, or one for each choice that is compared."""
        if not self._compares:
            return len(planned.questions)
        return sum(len(self._doc(each.id).own.choices) for each in planned.questions)

    def fewshot_docs(self) -> None:
        """None of ours: examples are the probed task's."""

    def set_fewshot_seed(self, seed: int | None = None) -> None:
        """Of the examples in front of the probed task's items."""
        super().set_fewshot_seed(seed)
        self.probed.set_fewshot_seed(seed)
        self.config.metadata["fewshot_seed"] = seed  # which tells apart what the harness caches

    def build_all_requests(self, **options: Any) -> None:
        """As the harness does, with the few-shot examples that it would show each item."""
        places = {place for place, _ in self._docs.values()}
        self._draws = example_draws(self.probed, places, self.config.num_fewshot or 0)
        super().build_all_requests(**options)

    def fewshot_context(
        self,
        doc: Mapping[str, Any],
        num_fewshot: int,
        system_instruction: str | None = None,
        gen_prefix: str | None = None,
        **options: Any,
    ) -> Any:
        """The whole prompt of a document, as the probed task makes it of what is asked."""
        question, probed = self._asked[doc["id"]], self._doc(doc["id"])
        place, _ = self._docs[question.item.id]
        if place in self._draws:
            self.probed.sampler.rnd.setstate(self._draws[place])
        # A probe's system message, then the user's; without a chat template the harness leaves
        # nothing between it and what follows.
        system = question.asked.system or system_instruction
        if question.asked.system and system_instruction:
            system = f"{question.asked.system}\n\n{system_instruction}"
        elif question.asked.system and not options.get("apply_chat_template"):
            system = f"{question.asked.system}\n\n"
        with asked_as(self.probed, probed.doc, **self._made[doc["id"]].made()) as task:
            return task.fewshot_context(
                probed.doc,
                num_fewshot=num_fewshot,
                system_instruction=system,
                gen_prefix=task.doc_to_prefix(probed.doc),
                **options,
            )

    def requests(self, doc: Mapping[str, Any], ctx: Any, **options: Any) -> Any:
        """The probed task's own requests, in the name of our document."""
        probed = self._doc(doc["id"])
        with asked_as(self.probed, probed.doc, **self._made[doc["id"]].made()) as task:
            made = task.construct_requests(probed.doc, ctx, **options)
        for request in made if isinstance(made, list) else [made]:
            request.doc = dict(doc)
        return made

    def apply_filters(self) -> None:
        """The first of the probed task's filters, on answers as that task would have had them."""
        filtered = filters_of(self.probed)[0]
        copies = [self._for_filter(request) for request in self.instances]
        filtered.apply(copies)
        for request, copy in zip(self.instances, copies, strict=True):
            request.filtered_resps = {_FILTER: copy.filtered_resps[filtered.name]}

    def outcome(self, doc: Mapping[str, Any], results: Sequence[Any]) -> Outcome:
        """The answer's outcome by the probed task's `process_results`."""
        question, probed = self._asked[doc["id"]], self._doc(doc["id"])
        made = self._made[doc["id"]]
        own_way = callable(self.probed.config.process_results)
        ordered = probed.in_own_order(results, question.asked) if own_way else list(results)
        with asked_as(self.probed, probed.doc, **made.made()) as task:
            metrics = task.process_results(probed.doc, ordered)
        score, problem = score_of(metrics, self._metric)
        answer: str | None = None
        if self._compares:
            chosen, why = likeliest(results, made.choices, self._metric)
            answer = f"#{probed.place(chosen, question.asked)}"
        elif (read := said(results[0])) is None:
            why = "the task's filter found none"
        else:
            why = "the task's own filter"
            answer = content_of(question.item, question.asked, read, probed.labels)
        return Outcome(
            item=question.item.id,
            cluster=question.item.cluster or question.item.id,
            variant=question.variant,
            gold=question.item.gold,
            answer=answer,
            score=score,
            why=f"{why}; {problem}" if problem else why,
            own=own_of(question.variant, self._probes, certain=self._certain(question)),
        )

    def _finished(self, outcomes: Sequence[Outcome], card: Mapping[str, Estimate]) -> None:
        """As every task of ours, and says that answers have no score."""
        super()._finished(outcomes, card)
        unscored = [each for each in outcomes if each.score is None]
        if unscored:
            logger.warning(
                "%s: %d of %d answers have no score, the first since %s; `metric` in --metadata "
                "chooses another metric",
                self.config.task,
                len(unscored),
                len(outcomes),
                unscored[0].why.rpartition("; ")[2],
            )

    def _take_over(self, task: ConfigurableTask) -> None:
        """What the harness looks for in the task that it runs."""
        self.OUTPUT_TYPE = self.config.output_type = task.OUTPUT_TYPE
        for name in ("num_fewshot", "repeats", "generation_kwargs"):
            # The very same arguments, since `--gen_kwargs` changes them in place.
            setattr(self.config, name, getattr(task.config, name))
        if getattr(task, "UNSAFE_CODE", False):
            self.UNSAFE_CODE = True

    def _certain(self, question: ProbedQuestion) -> bool:
        return self._compares and question.variant == PLAIN

    def _doc(self, question_id: str) -> ProbedDoc:
        return self._docs[self._asked[question_id].item.id][1]

    def _for_filter(self, request: Any) -> Any:
        """A copy of a request with its answers as the probed task reads them, and its document."""
        question, probed = self._asked[request.doc["id"]], self._doc(request.doc["id"])
        answers = request.resps
        if not self._compares:
            request.resps = [encodable(each or "") for each in request.resps]
            lead = lead_in(str(probed.own.text))
            answers = [
                as_the_task_reads(question.asked, each, probed.labels, question.item, lead)
                for each in request.resps
            ]
        return replace(
            request, resps=answers, filtered_resps={}, doc=probed.as_shown(question.asked)
        )

    def _notes(self) -> list[str]:
        """What must be said wherever the figures are shown."""
        first, *others = (each.name for each in filters_of(self.probed))
        if self._compares:
            return [_CERTAIN_NOTE]
        return (
            [f"scored by the task's filter {first}, not by {', '.join(others)}"] if others else []
        )


def _text(question: ProbedQuestion, made: Rendered) -> str:
    """What a question asks in one text, without examples and what else a run puts in front."""
    text = made.text if isinstance(made.text, str) else "\n".join(made.choices)
    return f"{question.asked.system}\n\n{text}" if question.asked.system else text
