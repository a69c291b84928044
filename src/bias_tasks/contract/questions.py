"""What a run asks: questions with what scoring needs of them, the calls they take, and a plan."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bias_tasks.contract.json_data import JsonData, JsonObject


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
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Cells of a user's file that no family needs, by column."""


class UntypedScoringData(ScoringData):
    """Scoring data as a mapping, for families that declare no type of their own."""

    __slots__ = ("values",)
    values: dict[str, Any]

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "values", dict(values))
        for name in ("item", "cluster", "variant", "gold"):
            value = values.get(name)
            object.__setattr__(self, name, value["id"] if isinstance(value, dict) else value)
        object.__setattr__(self, "columns", values.get("columns", {}))

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def keys(self) -> Any:
        return self.values.keys()

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)

    def __or__(self, other: Mapping[str, Any]) -> "UntypedScoringData":
        return UntypedScoringData({**self.values, **other})

    def __ror__(self, other: Mapping[str, Any]) -> "UntypedScoringData":
        return UntypedScoringData({**other, **self.values})

    def __eq__(self, other: object) -> bool:
        if isinstance(other, UntypedScoringData):
            return bool(self.values == other.values)
        return bool(self.values == other)

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> JsonObject:
        return dict(self.values)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "UntypedScoringData":
        return cls(values)


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt of a run: a sample of Inspect, a document of lm-eval."""

    id: str
    """`<item>/<variant>`, unique within a run and the same in both frameworks."""
    prompt: str
    gold: str
    """The correct answer in a few characters; empty if there is none."""
    scoring_data: Any
    choices: tuple[str, ...] = ()
    """Texts of the displayed options, in their order; empty if the question has none."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the answer, for frameworks that can enforce it."""
    repeats: bool = False
    """Whether another question has the same prompt, so that no cache may answer this one."""
    source: Any = field(default=None, compare=False, repr=False)
    """The family's own object, for solvers that prompt again about the question."""
    known_items: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    """The items that a simulated model answers from; nothing else uses them."""

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

    @classmethod
    def from_scoring_data(
        cls, scoring_data: ScoringData, prompt: str, *known_items: Any, **fields: Any
    ) -> "Question":
        """Return the question with this scoring data, and the id that follows from it.

        Args:
            scoring_data: Says which item is prompted under which variant, and what is correct.
            prompt: The text that the model gets.
            *known_items: The items that a simulated model answers from.
            **fields: Further fields of the question.
        """
        fields = {"gold": scoring_data.gold or "", "known_items": known_items, **fields}
        question_id = f"{scoring_data.item}/{scoring_data.variant}"
        return cls(question_id, prompt=prompt, scoring_data=scoring_data, **fields)

    @classmethod
    def about(
        cls, item: Any, variant: str, prompt: str, facts: Mapping[str, Any], **more: Any
    ) -> "Question":
        shared = {"item": item.id, "cluster": item.cluster or item.id, "variant": variant}
        gold = "" if facts["gold"] is None else str(facts["gold"])
        columns = {"columns": dict(item.further)} if item.further else {}
        data = UntypedScoringData({**shared, **facts, **columns})
        more = {"known_items": (item,), **more}
        return cls(f"{item.id}/{variant}", prompt=prompt, gold=gold, scoring_data=data, **more)


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


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a run, those of one item next to each other, and what its log records."""

    questions: tuple[Question, ...]
    provenance: tuple[Mapping[str, Any], ...]
    """Where the items come from: one record of plain JSON values per source."""
    data: str
    """How the items were requested: `paper`, `synthetic`, a path, or names of data sets."""
    notes: tuple[str, ...] = ()
    """What a reader of the metrics must know, such as domains that are excluded."""
    later_templates: tuple[str, ...] = ()
    """Templates of prompts that depend on answers: a next round, a rewording, a grader's prompt."""
    stop_sequences: tuple[str, ...] = ()
    """Texts at which generation stops, for models that do not stop by themselves."""
