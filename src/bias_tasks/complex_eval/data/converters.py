"""Turns each data set's own records into judged items, with the rubrics that they are judged by."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from bias_tasks.complex_eval.items import CHOSEN, ORIGINAL, REJECTED, Criterion, JudgedItem
from bias_tasks.complex_eval.layout import Turn, dialogue_text, profiles_text, steps_text
from bias_tasks.data.files import RawRecord, jsonl, parsed_json
from bias_tasks.names import content_hash

_TEXTS = files("bias_tasks.complex_eval.data") / "texts"
ROLE_PLAYING = (
    "Storyline Consistency",
    "Anthropomorphism",
    "Character Fidelity",
    "Storyline Quality",
)
"""The dimensions of appendix B.2, in its order."""
# How CoSER writes inner thoughts, and the role of the turns that only say who speaks next.
_THOUGHT = re.compile(r"\[[^\[\]]*\]")
_NEXT_SPEAKER = "NSP"
# The scores that a criterion of WritingBench describes.
_SCALE = ("1-2", "3-4", "5-6", "7-8", "9-10")


def rmb(paths: Sequence[Path], source: str | None = None) -> Iterator[JudgedItem]:
    """RMB helpfulness pairs, of their domain's data set by default; those of one conversation are a
    cluster. A pair whose two answers are the same has no loser and is left out."""
    for path in paths:
        records = parsed_json(path.read_bytes())
        standings = _standings(records)
        for record in records:
            chosen, rejected = record["chosen"]["answer"], record["reject"]["answer"]
            if chosen == rejected:
                continue
            query = _conversation(record["conversation_input"])
            domain = record["category_path"].split("/")[2]
            yield JudgedItem(
                id=f"rmb-{content_hash(query, chosen, rejected)}",
                family="basic",
                domain=domain,
                source=source or f"rmb_{domain.lower().replace(' ', '_')}",
                cluster=f"rmb-{content_hash(query)}",
                query=query,
                responses={CHOSEN: chosen, REJECTED: rejected},
                reference=_best_other(standings[query], (chosen, rejected)),
                rubric=rubric(domain),
            )


def coser(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """CoSER's scenes, without a response."""
    for path in paths:
        for scene in parsed_json(path.read_bytes()):
            yield _scene(scene, scene["i_p"], "coser", scene["character_profiles"], None)


def coser_simulations(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """CoSER's example scenes, each with the dialogue that a model played."""
    for path in paths:
        for played in parsed_json(path.read_bytes()):
            simulation = [
                Turn(turn["role"], _said(turn["content"], turn["role"]))
                for turn in played["simulation"]
                if turn["role"] != _NEXT_SPEAKER
            ]
            scene, profiles = played["circumstance"], played["involved_character_profiles"]
            response = dialogue_text(simulation)
            yield _scene(scene, played["i_p"], "coser_simulations", profiles, response)


def writingbench(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """WritingBench's requests with their criteria, without a response."""
    for record in jsonl(paths):
        identifier = f"writingbench-{content_hash(record['query'], record['checklist'])}"
        yield JudgedItem(
            id=identifier,
            family="creative_writing",
            domain=record["domain1"],
            source="writingbench",
            cluster=identifier,
            query=record["query"],
            responses={},
            criteria=tuple(map(_criterion, record["checklist"])),
        )


def process_item(record: RawRecord, source: str) -> JudgedItem:
    """The item of a record in ProcessBench's layout: its solution is judged.

    The record has `problem`, `steps`, `label` and maybe `id` and `reference_solution`. Solutions
    of one problem are a cluster. Whether the final answer is right is not used: a right answer may
    follow from a wrong step.
    """
    problem, steps, label = record["problem"], record["steps"], record["label"]
    own = record.get("id")
    return JudgedItem(
        id=f"{source}-{content_hash(own, problem, steps, label)}" if own is None else str(own),
        family="math",
        domain="olympiadbench" if source == "processbench" else "math",
        source=source,
        cluster=f"{source}-{content_hash(problem)}",
        query=problem,
        responses={ORIGINAL: steps_text(steps)},
        reference=record.get("reference_solution"),
        first_error=label,
    )


Converter = Callable[[Sequence[Path]], Iterator[JudgedItem]]


def converter(source: str) -> Converter:
    """The converter of the source of this name."""
    return partial(rmb, source=source) if source.startswith("rmb_") else _OTHERS[source]


_OTHERS: Mapping[str, Converter] = {
    "coser": coser,
    "coser_simulations": coser_simulations,
    "writingbench": writingbench,
    "processbench": lambda paths: (process_item(each, "processbench") for each in jsonl(paths)),
}


def _conversation(turns: Sequence[Mapping[str, str]]) -> str:
    return "\n\n".join(f"{turn['role'].capitalize()}: {turn['content']}" for turn in turns)


def _standings(records: Sequence[RawRecord]) -> dict[str, Counter[str]]:
    """Wins less losses of every answer that won at least once, by conversation."""
    standings: dict[str, Counter[str]] = {}
    for record in records:
        query = _conversation(record["conversation_input"])
        standings.setdefault(query, Counter())[record["chosen"]["answer"]] += 1
    for record in records:
        standing = standings[_conversation(record["conversation_input"])]
        if record["reject"]["answer"] in standing:
            standing[record["reject"]["answer"]] -= 1
    return standings


def _best_other(standing: Counter[str], pair: Sequence[str]) -> str | None:
    """The answer with the best standing that is not of the pair; ties by content hash."""
    others = [answer for answer in standing if answer not in pair]
    return min(others, key=lambda answer: (-standing[answer], content_hash(answer)), default=None)


def _scene(
    scene: RawRecord, place: int, source: str, profiles: Mapping[str, str], response: str | None
) -> JudgedItem:
    dialogue = [
        Turn(turn["character"], _said(turn["message"], turn["character"]))
        for turn in scene["dialogues"]
    ]
    characters = [
        f"- {character['name']}: {character.get('motivation') or character['thought']}"
        for character in scene["key_characters"]
    ]
    identifier = f"coser-{content_hash(scene['book'], place, scene['i_c'], scene['scenario'])}"
    return JudgedItem(
        id=identifier,
        family="role_playing",
        domain="role_playing",
        source=source,
        cluster=f"coser-{content_hash(scene['book'])}",
        query="\n".join(
            [scene["scenario"], f"Topic: {scene['topic']}", "Characters:", *characters]
        ),
        responses={} if response is None else {ORIGINAL: response},
        reference=dialogue_text(dialogue),
        criteria=role_playing_criteria(scene["major_characters"]),
        background=(
            f"Book: {scene['book']}\nPlot: {scene['plot']['summary']}\n\n{profiles_text(profiles)}"
        ),
    )


def _said(text: str, role: str) -> str:
    """What is said and done, without the role's name before it and without inner thoughts."""
    return _THOUGHT.sub("", text.removeprefix(f"{role}:")).strip()


def _criterion(part: Mapping[str, str]) -> Criterion:
    scale = [f"{scores}: {part[scores]}" for scores in _SCALE]
    return Criterion(part["name"], "\n".join([part["criteria_description"], *scale]))


def role_playing_criteria(major_characters: Iterable[str]) -> tuple[Criterion, ...]:
    """The four dimensions with their flaws; fidelity is asked of the main characters alone."""
    named = ", ".join(major_characters)
    return tuple(
        Criterion(name, _text(f"role_playing/{name}").replace("{major_characters}", named))
        for name in ROLE_PLAYING
    )


def rubric(domain: str) -> str:
    """The rubric of a domain of preference pairs, such as `Open QA`."""
    return _text(f"rubrics/{domain}")


@cache
def _text(name: str) -> str:
    path = _TEXTS / f"{name.lower().replace(' ', '_')}.txt"
    return path.read_text(encoding="utf-8").rstrip("\n")
