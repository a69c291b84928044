"""The documents of a probed task: their items, and how a perturbation changes them.

A probe changes the text of the task's own `doc_to_text`: examples, description and chat template
stay as they are.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeGuard, TypeVar

from lm_eval.api.task import ConfigurableTask

from bias_tasks.data.files import RawRecord
from bias_tasks.digests import content_hash
from bias_tasks.probing.displayed_options import (
    LABEL_MARKS,
    Options,
    find_options,
    find_target_indices,
)
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.placement import change_question, change_targets, finish_prompt
from bias_tasks.probing.plan import select_items

MAX_EXAMPLE_DOCS = 500
"""Documents outside the run that are loaded as few-shot examples."""
_MAX_CUE = 40
"""Characters of a last line such as `Answer:`."""
_MAX_CUE_LINES = 3
"""Number of such lines in a row, as in `Options:` and `Answer:`."""
_MIN_PASSAGE = 100
"""Characters of a text that makes the items about it a cluster."""
_QUESTION_LEAD = re.compile(r"[ \t]*(?:question|q)[ \t]*\d{0,3}[ \t]*[:.][ \t]*", re.IGNORECASE)
_ANSWER_LEAD = re.compile(r"(?:A|Answer|Response|Solution|Output)[ \t]{0,3}[:：]")
_END_MARKS = " \t\n.?!:;…"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RenderedDoc:
    """What a task's methods return for a document, original or perturbed."""

    text: object
    """`doc_to_text`; a number if each choice is a context of its own."""
    choices: tuple[str, ...]
    """`doc_to_choice`; empty if the task has none."""
    target: object
    """`doc_to_target`."""

    @property
    def target_text(self) -> str:
        """The target in words."""
        if isinstance(self.target, int) and 0 <= self.target < len(self.choices):
            return self.choices[self.target].strip()
        return " | ".join(map(str, _as_list(self.target)))

    @property
    def methods(self) -> dict[str, object]:
        """The values by the names of the task's methods."""
        choices = {"doc_to_choice": list(self.choices)} if self.choices else {}
        return {"doc_to_text": self.text, "doc_to_target": self.target} | choices


@dataclass(frozen=True, slots=True)
class ProbedDoc:
    """A document of the probed task, and the item that it is about."""

    doc: RawRecord
    original: RenderedDoc
    item: ProbedItem
    question_span: tuple[int, int]
    """Characters (start, end) of the question in the text."""
    position: int = 0
    """Position in the task's split."""
    compares_likelihoods: bool = False
    """Whether the choices' likelihoods are compared, and no answer is written."""
    choices_are_labels: bool = False
    """Whether the choices of `doc_to_choice` are labels."""
    choice_indices: tuple[int, ...] = ()
    """Index in the item of each choice whose likelihood is compared."""

    def perturb(self, perturbation: Perturbation) -> RenderedDoc:
        """Return what the task's methods return for the document under a perturbation."""
        original, item, style = self.original, self.item, perturbation.option_style
        if not isinstance(original.text, str):
            return original  # only a system message can apply
        choices, target, n_options = original.choices, original.target, len(item.labels)
        options = find_options(original.text, n_options) if item.labels else None
        text = change_question(perturbation, original.text, self.question_span, options)
        if perturbation.order:
            target = self._reorder_target(perturbation)
        insert = partial(insert_suffix, n_options=n_options)
        text = finish_prompt(perturbation, text, n_options, insert)
        if style and style.labels and self.choices_are_labels and self.compares_likelihoods:
            choices = tuple(
                choice.replace(choice.strip(LABEL_MARKS), label)
                for choice, label in zip(choices, style.labels, strict=False)
            )
        return RenderedDoc(text, choices, target)

    def find_choice(self, chosen: int, perturbation: Perturbation) -> int:
        """Return the index in the item of a choice, by its index among those compared."""
        order = perturbation.order if self.choices_are_labels else None
        return (order or self.choice_indices)[chosen]

    def restore_order(self, results: Sequence[T], perturbation: Perturbation) -> list[T]:
        """Return results of the compared choices in the document's own order."""
        order = perturbation.order
        if not order or not self.choices_are_labels:
            return list(results)
        size = len(order)
        displayed = [order.index(index) for index in range(size)]
        return [results[start + k] for start in range(0, len(results), size) for k in displayed]

    def reorder_doc(self, perturbation: Perturbation) -> Any:
        """Return the document with its lists of choices in the displayed order, for filters."""
        return _reorder_lists(dict(self.doc), self.item.choices, perturbation.order or ())

    def _reorder_target(self, perturbation: Perturbation) -> Any:
        """Return the target for choices in another order."""
        target, item = self.original.target, self.item
        if self.choices_are_labels:
            indices = [(perturbation.order or ()).index(index) for index in item.correct]
            if isinstance(target, list):
                return indices
            return indices[0] if indices else target
        if self.original.choices:
            return target
        texts = change_targets(perturbation, _as_list(target), item.choices, item.labels)
        return texts if isinstance(target, list) else texts[0]


def find_ids(task: ConfigurableTask) -> dict[str, int]:
    """Return the ids of a task's items, with the positions of their documents in its split."""
    return {f"{task.config.task}-{index}": index for index in range(len(task.task_docs))}


def draw_docs(
    task: ConfigurableTask, n: int | None, seed: int, excluded: Container[str] = ()
) -> dict[str, ProbedDoc]:
    """Return at most `n` documents by the ids of their items.

    Args:
        task: The probed task.
        n: The maximum number; None for all.
        seed: The seed of the draw.
        excluded: Ids of items that are not drawn.
    """
    positions = find_ids(task)
    candidates = [ProbedItem(name, "") for name in positions if name not in excluded]
    selected = select_items(candidates, n, seed)
    return {item.id: _load_doc(task, item.id, positions[item.id]) for item in selected}


def _load_doc(task: ConfigurableTask, item_id: str, position: int) -> ProbedDoc:
    """Return a document, whose item has a worked example as lm-eval would show it."""
    doc: RawRecord = task.task_docs[position]
    choices = task.doc_to_choice(doc) if task.config.doc_to_choice is not None else ()
    original = RenderedDoc(task.doc_to_text(doc), tuple(choices), task.doc_to_target(doc))
    probed = parse_doc(
        item_id,
        doc,
        original,
        compares_likelihoods=task.OUTPUT_TYPE == "multiple_choice",
        target_can_move=not callable(task.config.process_results),
    )
    probed = replace(probed, position=position)
    targets = _as_list(original.target)
    answer = replace(original, target=targets[0]).target_text if targets else ""
    if not answer or not isinstance(original.text, str) or not original.text.strip():
        return probed
    example = f"{original.text}{task.config.target_delimiter}{answer}"
    return replace(probed, item=replace(probed.item, worked_example=example))


def parse_doc(
    item_id: str,
    doc: RawRecord,
    original: RenderedDoc,
    *,
    compares_likelihoods: bool,
    target_can_move: bool,
) -> ProbedDoc:
    """Return a document with its item.

    The options in its text are the item's choices if the correct one is known by its label or text.

    Args:
        item_id: Id of the item.
        doc: The document.
        original: What the task's methods return for it.
        compares_likelihoods: Whether the choices' likelihoods are compared, and no answer is
            written.
        target_can_move: Whether the task scores by `doc_to_target`, and does not look for the
            target in the document.
    """
    text = original.text if isinstance(original.text, str) else ""
    options = find_options(text, len(original.choices) or None)
    start, end = find_question_span(text, doc, len(text) if options is None else options.start)
    target = original.text if isinstance(original.text, int) else original.target
    item = ProbedItem(
        id=item_id,
        text=text[start:end],
        correct=_find_correct(target, original.choices),
        target=original.target_text,
        cluster=_find_passage(text[:start], doc),
    )
    probed = ProbedDoc(
        doc,
        original,
        item,
        question_span=(start, end),
        compares_likelihoods=compares_likelihoods,
        choice_indices=tuple(range(len(original.choices))),
    )
    can_move = target_can_move or compares_likelihoods
    if options is None or not can_move or _are_truncated(options.texts, doc):
        return probed
    return _add_options(probed, options)


def _add_options(probed: ProbedDoc, options: Options) -> ProbedDoc:
    """Return the document with the options in its text as its item's choices.

    It is unchanged if the correct one is not known by its label or text.
    """
    original, correct, indices = probed.original, probed.item.correct, probed.choice_indices
    labels, texts = options.labels, tuple(text.strip() for text in options.texts)
    compared = tuple(choice.strip() for choice in original.choices)
    choices_are_labels = tuple(choice.strip(LABEL_MARKS) for choice in compared) == labels
    if not original.choices:
        targets = [t if isinstance(t, str) else "" for t in _as_list(original.target)]
        named = find_target_indices(targets, texts, labels)
        if named is None:
            return probed
        correct = named
    elif not choices_are_labels:
        if len(set(texts)) < len(texts) or sorted(compared) != sorted(texts):
            return probed
        indices = tuple(map(texts.index, compared))
        correct = tuple(indices[index] for index in correct)
    item = replace(probed.item, choices=options.texts, correct=correct, labels=labels)
    return replace(probed, item=item, choices_are_labels=choices_are_labels, choice_indices=indices)


def find_question_span(text: str, doc: RawRecord, end: int) -> tuple[int, int]:
    """Return where in a document's text its question is: characters (start, end).

    The question ends before `end` (where the options begin) and before short last lines that end in
    a colon (`Answer:`). It is the longest text of the document itself that ends there, except for
    punctuation. Without such a text it is the last line, without `Question:` at its start.
    """
    part = text[:end].rstrip()
    for _ in range(_MAX_CUE_LINES):
        part = part[: _find_cue(part)].rstrip() or part
    bare = part.rstrip(_END_MARKS)
    fields = (value.strip().rstrip(_END_MARKS) for value in doc.values() if isinstance(value, str))
    if length := max((len(field) for field in fields if bare.endswith(field)), default=0):
        return len(bare) - length, len(part)
    start = part.rfind("\n") + 1
    lead = _QUESTION_LEAD.match(part, start)
    return (start if lead is None else lead.end()), len(part)


def insert_suffix(text: str, suffix: str, n_options: int = 0) -> str:
    """Return a text with a suffix, as a paragraph before the cue to write the answer.

    Args:
        text: The text.
        suffix: The new paragraph, which follows the options.
        n_options: The number of options that the text displays after labels.
    """
    options = find_options(text, n_options) if n_options else None
    cut = _find_cue(text) if options is None else options.end
    before, after = text[:cut].rstrip(), text[cut:].lstrip("\n")
    if not before or not after:
        return f"{text}\n\n{suffix}"
    return f"{before}\n\n{suffix}\n{after}"


def _find_cue(text: str) -> int:
    """Return where the last line begins if it is the cue to write the answer, else 0.

    It is a short line that ends in a colon, as `Answer:`, or one that begins with such a cue, as
    `A: Let's think step by step.`
    """
    bare = text.rstrip()
    start = bare.rfind("\n") + 1
    line = bare[start:].strip()
    is_short_cue = line.endswith((":", "：")) and len(line) <= _MAX_CUE
    return start if is_short_cue or _ANSWER_LEAD.match(line) else 0


def _find_correct(target: object, choices: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the correct choices, as lm-eval interprets a target."""
    indices = (choices.index(t) if t in choices else t for t in _as_list(target))
    return tuple(i for i in indices if isinstance(i, int) and 0 <= i < len(choices))


def _find_passage(before: str, doc: RawRecord) -> str:
    """Return the cluster of items about the same long text; empty if there is no such text."""
    texts = (value.strip() for value in doc.values() if isinstance(value, str))
    passages = sorted(text for text in texts if len(text) >= _MIN_PASSAGE and text in before)
    return f"passage-{content_hash(*passages)}" if passages else ""


def _are_truncated(texts: Sequence[str], value: object) -> bool:
    """Return whether a list in a document has longer versions of the option texts.

    In a prompt, the end of the last option cannot be separated from the text after it.
    """
    if isinstance(value, Mapping):
        return any(_are_truncated(texts, part) for part in value.values())
    if not _is_text_list(value) or len(value) != len(texts):
        return False
    in_doc, in_prompt = ([" ".join(text.split()) for text in part] for part in (value, texts))
    return in_doc != in_prompt and all(map(str.startswith, in_doc, in_prompt))


def _reorder_lists(value: object, choices: Sequence[str], order: Sequence[int]) -> Any:
    """Return a document's value with the lists of its choices in the displayed order."""
    if isinstance(value, dict):
        return {name: _reorder_lists(part, choices, order) for name, part in value.items()}
    if not order or not _is_text_list(value):
        return value
    if [text.strip() for text in value] != [choice.strip() for choice in choices]:
        return value
    return [value[index] for index in order]


def _is_text_list(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]
