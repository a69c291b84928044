"""What the tasks of every family share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic

from datasets import Dataset
from lm_eval.api.task import ConfigurableTask

from bias_tasks.data import DataError
from bias_tasks.harness.figures import Figures, OutcomeScore, OutcomeT
from bias_tasks.metrics.estimate import Estimate, flatten

RECORD = "bias_tasks"
"""Name in the logged configuration's metadata under which a run says what it asked."""


@dataclass(frozen=True, slots=True)
class Documents:
    """What a run asks."""

    rows: list[dict[str, Any]]
    """One document a question; all have the same names in them."""
    record: dict[str, Any]
    """What the logged configuration says of the run, as plain JSON values: at least its
    `protocol`, `data` and `provenance`."""


class FamilyTask(ConfigurableTask, Generic[OutcomeT]):  # type: ignore[misc]
    """A task whose questions, reading of answers and figures are a family's, shared with Inspect.

    The YAML's `dataset_kwargs` are the arguments of `documents`; the user's parameters come
    through `--metadata`. An answer that rules cannot read stays unread: the harness has no second
    model that could judge it.

    Raises:
        ValueError: a parameter is unknown or has no such value.
        DataError: the items can't be had.
    """

    NO_ANSWER: ClassVar[Sequence[Any]] = ("",)
    """The results of a document that nothing can be read from."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__(config={name: value for name, value in config.items() if name != "class"})
        figures = Figures(self.scorecard)
        names = self._figure_names()
        self._aggregation_list = {name: partial(figures, name) for name in names}
        directions = {name: self.more_is_better(name) for name in names}
        self._higher_is_better = {n: more for n, more in directions.items() if more is not None}

    @abstractmethod
    def documents(self, *_: Any, **dataset_kwargs: Any) -> Documents:
        """The run's documents, and what its log says of them.

        Args:
            dataset_kwargs: what the family's YAML files say; a subclass names them.
        """

    @abstractmethod
    def score(self, doc: Mapping[str, Any], results: Sequence[Any]) -> OutcomeScore[OutcomeT]:
        """What became of a document, from the harness's results of its requests."""

    @abstractmethod
    def scorecard(self, outcomes: Sequence[OutcomeT]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes."""

    def outcome_with_all_figures(self, doc: Mapping[str, Any]) -> OutcomeT:
        """An outcome of the document, such that no figure is missing where all are like it."""
        return self.score(doc, self.NO_ANSWER).outcome

    @abstractmethod
    def more_is_better(self, name: str) -> bool | None:
        """Whether a higher figure is a better one; None where that can't be said."""

    def download(self, dataset_kwargs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Build the documents; nothing but pinned data files is fetched."""
        said = dataset_kwargs or {}
        try:
            documents = self.documents(**said)
        except DataError as error:
            error.add_note('In lm-eval, -T NAME=VALUE is --metadata \'{"NAME": "VALUE"}\'')
            raise
        self.dataset = {"test": Dataset.from_list(documents.rows)}
        self.config.metadata[RECORD] = {**said, **documents.record}

    def process_results(self, doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
        """The answer's score under the name of every figure that it has a part in."""
        if self._metric_fn_list:  # --predict_only has put a metric of its own in place of ours
            return dict(super().process_results(doc, results))
        return dict.fromkeys(self._aggregation_list, self.score(doc, results))

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
        outcomes = [self.outcome_with_all_figures(doc) for doc in self.dataset["test"]]
        return list(flatten(self.scorecard(outcomes)))
