"""The documents of a probed task: their items, and what they become when they are asked otherwise.

A probe changes the text of the task's own `doc_to_text`: examples, description and chat template
stay as they are.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lm_eval.api.task import ConfigurableTask

from bias_tasks.names import content_hash
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import AROUND, find_options, moved_target, places_named
from bias_tasks.probing.plan import chosen_items

OTHERS = 500
"""Documents at most that are read for examples alone."""
_CUE = 40
"""Characters that a last line such as `Answer:` has at most."""
_CUES = 3
"""How many such lines may follow each other, as in `Options:` and `Answer:`."""
_PASSAGE = 100
"""Characters that a text has at least for the items about it to share something."""
_LEAD = re.compile(r"[ \t]*(?:question|q)[ \t]*\d{0,3}[ \t]*[:.][ \t]*", re.IGNORECASE)
_ASKS = re.compile(r"(?:A|Answer|Response|Solution|Output)[ \t]{0,3}[:：]")
_END = " \t\n.?!:;…"


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a task makes of a document to ask it: of ours as its own methods say, or as asked."""

    text: Any
    """`doc_to_text`; a number where each choice is a context of its own."""
    choices: tuple[str, ...]
    """`doc_to_choice`; empty where the task has none."""
    target: Any
    """`doc_to_target`."""

    @property
    def told(self) -> str:
        """The target in words."""
        if isinstance(self.target, int) and 0 <= self.target < len(self.choices):
            return self.choices[self.target].strip()
        return " | ".join(map(str, _listed(self.target)))

    @property
    def methods(self) -> dict[str, Any]:
        """By the names of the task's methods."""
        choices = {"doc_to_choice": list(self.choices)} if self.choices else {}
        return {"doc_to_text": self.text, "doc_to_target": self.target} | choices


@dataclass(frozen=True, slots=True)
class ProbedDoc:
    """A document with what is known of it."""

    doc: Mapping[str, Any]
    own: Rendered
    item: ProbedItem
    question: tuple[int, int]
    """First character of the question in the text, and the one behind its last."""
    compares: bool = False
    """Whether the choices' likelihoods are compared, and no answer is written."""
    by_label: bool = False
    """Whether the choices of `doc_to_choice` are labels."""
    places: tuple[int, ...] = ()
    """The place in the item of each choice that is compared by likelihood."""

    def asked(self, asked: Asked) -> Rendered:
        """What the task makes of the document when it is asked so."""
        own, item = self.own, self.item
        if not isinstance(own.text, str):
            return own  # nothing but a system message applies
        text, choices, target = own.text, own.choices, own.target
        if asked.text is not None:
            begin, end = self.question
            text = f"{text[:begin]}{asked.text}{text[end:]}"
        if asked.order:
            found = find_options(text, len(item.labels))
            text = text if found is None else found.reordered(text, asked.order)
            target = self._moved(asked.order)
        if asked.dress is not None:
            text = asked.dress.prompt(text, len(item.labels))
            if asked.dress.labels and self.by_label and self.compares:
                pairs = zip(choices, asked.dress.labels, strict=False)
                choices = tuple(each.replace(each.strip(AROUND), new) for each, new in pairs)
        options = find_options(text, len(item.labels)) if item.labels else None
        text = with_ending(text, asked.ending, None if options is None else options.end)
        if asked.beginning:
            text = f"{asked.beginning}\n\n{text}"
        return Rendered(text, choices, target)

    def place(self, chosen: int, asked: Asked) -> int:
        """The place in the item of a choice, by its place among those compared."""
        return asked.order[chosen] if self.by_label and asked.order else self.places[chosen]

    def in_own_order(self, results: Sequence[Any], asked: Asked) -> list[Any]:
        """Results of the choices compared, as if they had stood in the document's order."""
        size = len(asked.order)
        if not (size and self.by_label):
            return list(results)
        back = [asked.order.index(place) for place in range(size)]
        return [results[start + k] for start in range(0, len(results), size) for k in back]

    def as_shown(self, asked: Asked) -> Any:
        """The document with its lists of choices in the order shown: filters may look there."""
        return _in_order(dict(self.doc), self.item.choices, asked.order)

    def _moved(self, order: Sequence[int]) -> Any:
        """The target where the choices stand in another order."""
        target, item = self.own.target, self.item
        if self.by_label:
            moved = [order.index(place) for place in item.right]
            return moved if isinstance(target, list) else next(iter(moved), target)
        if self.own.choices:
            return target
        told = [moved_target(each, order, item.choices, item.labels) for each in _listed(target)]
        return told if isinstance(target, list) else told[0]


def ids_of(task: ConfigurableTask) -> dict[str, int]:
    """The ids of a task's items, with the places of their documents in its split."""
    return {f"{task.config.task}-{place}": place for place in range(len(task.task_docs))}


def drawn_docs(
    task: ConfigurableTask, n: int | None, seed: int, but: Container[str] = ()
) -> dict[str, tuple[int, ProbedDoc]]:
    """At most n of all documents `but` some, by their items' ids, each behind its place."""
    ids = ids_of(task)
    drawn = chosen_items([ProbedItem(each, "") for each in ids if each not in but], n, seed)
    return {each.id: (ids[each.id], _read(task, each.id, ids[each.id])) for each in drawn}


def _read(task: ConfigurableTask, name: str, place: int) -> ProbedDoc:
    doc: Mapping[str, Any] = task.task_docs[place]
    choices = task.doc_to_choice(doc) if task.config.doc_to_choice is not None else ()
    own = Rendered(task.doc_to_text(doc), tuple(choices), task.doc_to_target(doc))
    compares = task.OUTPUT_TYPE == "multiple_choice"
    movable = not callable(task.config.process_results)
    found = read_doc(name, doc, own, compares=compares, movable=movable)
    # As an example the harness shows it with its answer behind it.
    answer = "".join(replace(own, target=each).told for each in _listed(own.target)[:1])
    if not answer or not isinstance(own.text, str) or not own.text.strip():
        return found
    worked = f"{own.text}{task.config.target_delimiter}{answer}"
    return replace(found, item=replace(found.item, worked=worked))


def read_doc(
    name: str, doc: Mapping[str, Any], own: Rendered, *, compares: bool, movable: bool
) -> ProbedDoc:
    """The document as it can be probed, with the item's id. Its text's options count as the item's
    choices where the right one is known by its label or by its words. `compares` says that the
    choices' likelihoods are compared and no answer is written, `movable` that the task is told its
    target, and does not look for it in the document."""
    text = own.text if isinstance(own.text, str) else ""
    options = find_options(text, len(own.choices) or None)
    begin, end = question_span(text, doc, len(text) if options is None else options.begin)
    right = _right(own.text if isinstance(own.text, int) else own.target, own.choices)
    item = ProbedItem(
        id=name,
        text=text[begin:end],
        right=right,
        target=own.told,
        cluster=_passage(text[:begin], doc),
    )
    places = tuple(range(len(own.choices)))
    found = ProbedDoc(doc, own, item, (begin, end), compares, places=places)
    if options is None or not (movable or compares) or _cut_short(options.texts, doc):
        return found
    labels, texts = options.labels, tuple(text.strip() for text in options.texts)
    compared = tuple(each.strip() for each in own.choices)
    by_label = tuple(each.strip(AROUND) for each in compared) == labels
    if not own.choices:
        targets = [each if isinstance(each, str) else "" for each in _listed(own.target)]
        named = places_named(targets, texts, labels)
        if named is None:
            return found
        right = named
    elif not by_label:
        if len(set(texts)) < len(texts) or sorted(compared) != sorted(texts):
            return found
        places = tuple(map(texts.index, compared))
        right = tuple(places[each] for each in right)
    item = replace(item, choices=options.texts, right=right, labels=labels)
    return replace(found, item=item, by_label=by_label, places=places)


def question_span(text: str, doc: Mapping[str, Any], end: int) -> tuple[int, int]:
    """Where in a document's text its question stands: first character, and the one behind the last.

    What stands before `end`, where the options begin, or before a last short line that ends in a
    colon (`Answer:`), is looked at. The longest text of the document's own that ends there, but for
    marks, is the question; where there is none, the last line, without `Question:` in front.
    """
    part = text[:end].rstrip()
    for _ in range(_CUES):
        part = part[: _cue(part)].rstrip() or part
    bare = part.rstrip(_END)
    fields = (value.strip().rstrip(_END) for value in doc.values() if isinstance(value, str))
    if length := max((len(field) for field in fields if bare.endswith(field)), default=0):
        return len(bare) - length, len(part)
    begin = part.rfind("\n") + 1
    lead = _LEAD.match(part, begin)
    return (begin if lead is None else lead.end()), len(part)


def with_ending(text: str, ending: str, options: int | None = None) -> str:
    """The text with an ending behind an empty line, before what asks for the answer to be written;
    `options` is where the text's options end."""
    if not ending:
        return text
    cut = _cue(text) if options is None else options
    before, behind = text[:cut].rstrip(), text[cut:].lstrip("\n")
    if not before or not behind:
        return f"{text}\n\n{ending}"
    return f"{before}\n\n{ending}\n{behind}"


def _cue(text: str) -> int:
    """Where the last line begins, if it asks for the answer: a short line that ends in a colon, as
    `Answer:`, or one that begins so, as `A: Let's think step by step.`; else 0."""
    bare = text.rstrip()
    begin = bare.rfind("\n") + 1
    line = bare[begin:].strip()
    short = line.endswith((":", "：")) and len(line) <= _CUE
    return begin if short or _ASKS.match(line) else 0


def _right(target: Any, choices: Sequence[str]) -> tuple[int, ...]:
    """The places of the right choices, as the harness takes a target."""
    places = (choices.index(each) if each in choices else each for each in _listed(target))
    return tuple(each for each in places if isinstance(each, int) and 0 <= each < len(choices))


def _passage(before: str, doc: Mapping[str, Any]) -> str:
    """What items about the same long text have in common; empty where there is none."""
    texts = (value.strip() for value in doc.values() if isinstance(value, str))
    found = sorted(text for text in texts if len(text) >= _PASSAGE and text in before)
    return f"passage-{content_hash(*found)}" if found else ""


def _cut_short(texts: Sequence[str], value: Any) -> bool:
    """Whether a list somewhere in a document has the texts found, of which some go on there: the
    last lines of an option can't be told from what stands behind the options in a prompt."""
    if isinstance(value, Mapping):
        return any(_cut_short(texts, each) for each in value.values())
    if not _is_texts(value) or len(value) != len(texts):
        return False
    own, printed = ([" ".join(text.split()) for text in each] for each in (value, texts))
    return own != printed and all(map(str.startswith, own, printed))


def _in_order(value: Any, choices: Sequence[str], order: Sequence[int]) -> Any:
    """A document's value with the lists of its choices in the order shown."""
    if isinstance(value, dict):
        return {name: _in_order(each, choices, order) for name, each in value.items()}
    if not order or not _is_texts(value):
        return value
    same = [each.strip() for each in value] == [each.strip() for each in choices]
    return [value[place] for place in order] if same else value


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
