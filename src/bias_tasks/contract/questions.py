"""What a run asks: questions with what scoring needs of them, the calls they take, and a plan."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bias_tasks.contract.json_data import JsonData


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringData(JsonData):
    """What scoring an answer needs of its question. A family adds its own fields in a subclass.

    Inspect logs hold the fields in the sample's metadata, one name each; documents of lm-eval hold
    them as one JSON text, since the columns of a Hugging Face data set have one type each.
    """

    item: str
    """Id of the item that the question is about."""
    cluster: str
    """Items of one cluster share something (a passage, a scene); intervals are clustered by it."""
    variant: str
    """The way in which the item is prompted, such as `vanilla` or `conformity`."""
    gold: str | None = None
    """The correct answer in a few characters; None if there is none."""
    columns: Mapping[str, object] = field(default_factory=dict)
    """Cells of a user's file that no family needs, by column; `difficulty` and `topic` of ours."""

    @property
    def level(self) -> str | None:
        """The item's difficulty level, such as `1`; None if it has none."""
        level = self.columns.get("difficulty")
        return None if level is None else str(level)

    @property
    def enforced(self) -> str:
        """What a parameter of the call demands, in addition to the prompt; empty for nothing."""
        return ""


_DataT = TypeVar("_DataT", bound=ScoringData)


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt of a run: a sample of Inspect, a document of lm-eval."""

    id: str
    """`<item>/<variant>`, unique within a run and the same in both frameworks."""
    prompt: str
    gold: str
    """The correct answer in a few characters; empty if there is none."""
    scoring_data: ScoringData
    choices: tuple[str, ...] = ()
    """Texts of the displayed options, in their order; empty if the question has none."""
    schema: Mapping[str, object] | None = None
    """JSON schema of the answer, for frameworks that can enforce it."""
    repeats: bool = False
    """Whether another question has the same prompt, so that no cache may answer this one."""
    source: Any = field(default=None, compare=False, repr=False)
    """The family's own object, for solvers that prompt again and for simulated models."""

    @property
    def item(self) -> str:
        """Id of the item; the questions of one item are compared with each other."""
        return str(self.scoring_data.item)

    @property
    def cluster(self) -> str:
        """As in `ScoringData`."""
        return str(self.scoring_data.cluster)

    @property
    def variant(self) -> str:
        """As in `ScoringData`."""
        return str(self.scoring_data.variant)

    def data_as(self, data_type: type[_DataT]) -> _DataT:
        """Return the scoring data as its family's type.

        Args:
            data_type: The family's type.

        Raises:
            TypeError: The question is another family's.
        """
        if not isinstance(self.scoring_data, data_type):
            raise TypeError(
                f"question {self.id} has {type(self.scoring_data).__name__}, "
                f"not {data_type.__name__}"
            )
        return self.scoring_data

    @classmethod
    def from_scoring_data(cls, scoring_data: ScoringData, prompt: str, **fields: Any) -> "Question":
        """Return the question with this scoring data, and the id that follows from it.

        Args:
            scoring_data: Says which item is prompted under which variant, and what is correct.
            prompt: The text that the model gets.
            **fields: Further fields of the question.
        """
        fields = {"gold": scoring_data.gold or "", **fields}
        question_id = f"{scoring_data.item}/{scoring_data.variant}"
        return cls(question_id, prompt=prompt, scoring_data=scoring_data, **fields)


@dataclass(frozen=True, slots=True)
class Request:
    """One model call that a question takes, as far as it is known before there are answers."""

    prompt: str
    role: str | None = None
    """The model role that answers; None for the evaluated model."""
    answer: str | None = None
    """A text about as long as the answer; None if the answer is like the task's others."""
    parse_rewording: Callable[[str], str] | None = field(default=None, compare=False)
    """For an answer that replaces the question's prompt: returns the new prompt, or raises a
    ValueError that names what the rewording lost."""
    continues: bool = False
    """Whether it is the next turn of a dialogue, which the model sees from its beginning."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a run, those of one item next to each other, and what its log records."""

    questions: tuple[Question, ...]
    provenance: tuple[Mapping[str, object], ...]
    """Where the items come from: one record of plain JSON values per source."""
    data: str
    """How the items were requested: `paper`, `synthetic`, a path, or names of data sets."""
    notes: tuple[str, ...] = ()
    """What a reader of the metrics must know, such as domains that are excluded."""
    later_templates: tuple[str, ...] = ()
    """Templates of prompts that depend on answers: a next round, a rewording, a grader's prompt."""
    stop_sequences: tuple[str, ...] = ()
    """Texts at which generation stops, for models that do not stop by themselves."""
