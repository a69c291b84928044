"""The task class behind every YAML of Instruction Boundary."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from datasets import Dataset
from lm_eval.api.task import ConfigurableTask

from bias_tasks.data import DataError
from bias_tasks.data.load import Forms
from bias_tasks.design.instruction_boundary import (
    Plan,
    Question,
    make_known,
    plan,
    question_from_dict,
)
from bias_tasks.harness.figures import Figures, OutcomeScore, better
from bias_tasks.harness.parameters import RunParameters, run_parameters
from bias_tasks.metrics.estimate import flatten
from bias_tasks.metrics.instruction_boundary import scorecard
from bias_tasks.scoring.instruction_boundary import outcome, read_answer, target_text

RECORD = "bias_tasks"
"""Name in the logged configuration's metadata under which a run says what it asked."""


class InstructionBoundaryTask(ConfigurableTask):  # type: ignore[misc]
    """One setting on one form: the paper's question and, beside it, its vanilla twin.

    The YAML's `dataset_kwargs` name `setting` and `form`; everything else comes through
    `--metadata` (see `bias_tasks.harness.parameters`). An answer that rules cannot read stays
    unread: the harness has no second model that could judge it.

    A document is `{id, prompt, gold, question}`: id is `<item>/<variant>`, and `question` holds
    all that is needed to read the answer, as JSON.

    Raises:
        ValueError: a parameter is unknown or has no such value.
        DataError: the items can't be had.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__(config={name: value for name, value in config.items() if name != "class"})
        figures = Figures()
        names = self._figure_names()
        self._aggregation_list = {name: partial(figures, name) for name in names}
        self._higher_is_better = better(names)

    def download(self, dataset_kwargs: Mapping[str, Any], **_: Any) -> None:
        """Build the documents; nothing but pinned data files is fetched."""
        run = run_parameters(self.config.metadata)
        try:
            planned = self.plan(run, **dataset_kwargs)
        except DataError as error:
            error.add_note('In lm-eval, -T NAME=VALUE is --metadata \'{"NAME": "VALUE"}\'')
            raise
        self.dataset = {"test": Dataset.from_list([self.doc(q) for q in planned.questions])}
        make_known(planned)
        self.config.metadata[RECORD] = {
            **dataset_kwargs,
            **planned.questions[0].params.to_dict(),
            "data": run.data,
            "paired": run.paired,
            "provenance": list(planned.provenance),
        }

    def plan(self, run: RunParameters, setting: str, form: Forms) -> Plan:
        """The questions of this run."""
        return plan(
            setting,
            run.setting,
            form=form,
            data=run.data,
            sources=run.sources,
            paired=run.paired,
            n=run.n,
        )

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question`."""
        asked = question.asked()
        return {
            "id": question.id,
            "prompt": asked.prompt,
            "gold": target_text(question, asked),
            "question": json.dumps(question.to_dict(), ensure_ascii=False),
        }

    def process_results(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
        """The answer's score under the name of every figure that it has a part in."""
        if self._metric_fn_list:  # --predict_only has put a metric of its own in place of ours
            return dict(super().process_results(doc, results))
        score = _score(doc, results[0])
        return dict.fromkeys(self._aggregation_list, score)

    def build_all_requests(self, **options: Any) -> None:
        """As the harness does, but never from another run's requests.

        Raises:
            ValueError: `--cache_requests` holds the prompts of other parameters: its key knows
                the task's name alone.
        """
        super().build_all_requests(**options)
        choice = {name: options.get(name) for name in ("limit", "samples")}
        place = {name: options[name] for name in ("rank", "world_size") if name in options}
        docs = dict(self.doc_iterator(**choice, **place))
        if any(docs.get(request.doc_id) != request.doc for request in self.instances):
            raise ValueError(
                f"the request cache holds {self.config.task} with other parameters: "
                "run with --cache_requests refresh, or without it"
            )

    def _figure_names(self) -> list[str]:
        """The names of all figures, which follow from the questions whatever the answers are."""
        return list(flatten(scorecard([_score(doc, "").outcome for doc in self.dataset["test"]])))


def _score(doc: Mapping[str, Any], answer: str) -> OutcomeScore:
    question = question_from_dict(json.loads(doc["question"]))
    asked = question.asked()
    return OutcomeScore(outcome(question, asked, read_answer(question, asked, answer)))
