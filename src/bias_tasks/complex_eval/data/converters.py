"""Converters from the records of each data set to judged items with their rubrics."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from bias_tasks.complex_eval.items import CHOSEN, ORIGINAL, REJECTED, Criterion, JudgedItem
from bias_tasks.complex_eval.layout import Turn, format_dialogue, format_profiles, format_steps
from bias_tasks.data.files import RawRecord, parse_json, read_json_lists, read_jsonl
from bias_tasks.digests import content_hash

_TEXTS = files("bias_tasks.complex_eval.data") / "texts"
ROLE_PLAYING = (
    "Storyline Consistency",
    "Anthropomorphism",
    "Character Fidelity",
    "Storyline Quality",
)
"""The dimensions of appendix B.2, in its order; criteria entanglement attacks the last (A.3.2)."""
_THOUGHT = re.compile(r"\[[^\[\]]*\]")
"""Inner thoughts in CoSER's notation."""
_NEXT_SPEAKER = "NSP"
"""CoSER's role for turns that only name the next speaker."""
_SCORE_BANDS = ("1-2", "3-4", "5-6", "7-8", "9-10")
"""The scores that a criterion of WritingBench describes."""


def convert_rmb(source: str, paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """Yield the helpfulness pairs of RMB.

    The pairs of one conversation are a cluster. A pair of equal answers has no loser and is
    excluded.
    """
    for path in paths:
        records = parse_json(path.read_bytes())
        net_wins = _count_net_wins(records)
        for record in records:
            chosen, rejected = record["chosen"]["answer"], record["reject"]["answer"]
            if chosen == rejected:
                continue
            query = _format_conversation(record["conversation_input"])
            domain = record["category_path"].split("/")[2]
            yield JudgedItem(
                id=f"rmb-{content_hash(query, chosen, rejected)}",
                family="basic",
                domain=domain,
                source=source,
                cluster=f"rmb-{content_hash(query)}",
                query=query,
                responses={CHOSEN: chosen, REJECTED: rejected},
                reference=_find_best_alternative(net_wins[query], (chosen, rejected)),
                rubric=load_rubric(domain),
            )


def convert_coser(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """Yield the scenes of CoSER, without a response."""
    for scene in read_json_lists(paths):
        yield _convert_scene(scene, scene["i_p"], "coser", scene["character_profiles"], None)


def convert_simulations(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """Yield the example scenes of CoSER, each with the dialogue that a model played."""
    for record in read_json_lists(paths):
        turns = [
            Turn(turn["role"], _clean_speech(turn["content"], turn["role"]))
            for turn in record["simulation"]
            if turn["role"] != _NEXT_SPEAKER
        ]
        profiles, response = record["involved_character_profiles"], format_dialogue(turns)
        scene = record["circumstance"]
        yield _convert_scene(scene, record["i_p"], "coser_simulations", profiles, response)


def convert_writingbench(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """Yield the requests of WritingBench with their criteria, without a response."""
    for record in read_jsonl(paths):
        identifier = f"writingbench-{content_hash(record['query'], record['checklist'])}"
        yield JudgedItem(
            id=identifier,
            family="creative_writing",
            domain=record["domain1"],
            source="writingbench",
            cluster=identifier,
            query=record["query"],
            responses={},
            criteria=tuple(map(_convert_criterion, record["checklist"])),
        )


def convert_solution(record: RawRecord, source: str) -> JudgedItem:
    """Return the item of a record in ProcessBench's layout, whose solution is judged.

    Solutions of one problem are a cluster. Whether the final answer is correct is not used, because
    a correct answer may follow from a wrong step.

    Args:
        record: `problem`, `steps`, `label`, and optionally `id` and `reference_solution`.
        source: Name of the data set.
    """
    problem, steps, label = record["problem"], record["steps"], record["label"]
    identifier = record.get("id")
    if identifier is None:
        # The hash covers the missing id, too, so that ids stay what they are.
        identifier = f"{source}-{content_hash(None, problem, steps, label)}"
    return JudgedItem(
        id=str(identifier),
        family="math",
        domain="olympiadbench" if source == "processbench" else "math",
        source=source,
        cluster=f"{source}-{content_hash(problem)}",
        query=problem,
        responses={ORIGINAL: format_steps(steps)},
        reference=record.get("reference_solution"),
        first_error=label,
    )


def convert_processbench(paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """Yield the solutions of ProcessBench."""
    return (convert_solution(record, "processbench") for record in read_jsonl(paths))


_CONVERTERS: Mapping[str, Callable[[Sequence[Path]], Iterator[JudgedItem]]] = {
    "coser": convert_coser,
    "coser_simulations": convert_simulations,
    "writingbench": convert_writingbench,
    "processbench": convert_processbench,
}


def convert_records(source: str, paths: Sequence[Path]) -> Iterator[JudgedItem]:
    """Yield the items in the files of a data set; `source` is its name."""
    if source.startswith("rmb_"):
        return convert_rmb(source, paths)
    return _CONVERTERS[source](paths)


def build_role_playing_criteria(main_characters: Iterable[str]) -> tuple[Criterion, ...]:
    """Return the four dimensions with their flaws; fidelity concerns the main characters only."""
    names = ", ".join(main_characters)
    return tuple(
        Criterion(name, _load_text(f"role_playing/{name}").replace("{major_characters}", names))
        for name in ROLE_PLAYING
    )


def load_rubric(domain: str) -> str:
    """Return the rubric of a domain of preference pairs, such as `Open QA`."""
    return _load_text(f"rubrics/{domain}")


def _format_conversation(turns: Sequence[Mapping[str, str]]) -> str:
    return "\n\n".join(f"{turn['role'].capitalize()}: {turn['content']}" for turn in turns)


def _count_net_wins(records: Sequence[RawRecord]) -> dict[str, Counter[str]]:
    """Return wins minus losses of every answer with at least one win, by conversation."""
    net_wins: dict[str, Counter[str]] = {}
    for record in records:
        query = _format_conversation(record["conversation_input"])
        net_wins.setdefault(query, Counter())[record["chosen"]["answer"]] += 1
    for record in records:
        answers = net_wins[_format_conversation(record["conversation_input"])]
        if record["reject"]["answer"] in answers:
            answers[record["reject"]["answer"]] -= 1
    return net_wins


def _find_best_alternative(net_wins: Counter[str], pair: Sequence[str]) -> str | None:
    """Return the answer outside the pair with the most net wins; the content hash breaks ties."""
    others = [answer for answer in net_wins if answer not in pair]
    return min(others, key=lambda answer: (-net_wins[answer], content_hash(answer)), default=None)


def _convert_scene(
    scene: RawRecord, plot: int, source: str, profiles: Mapping[str, str], response: str | None
) -> JudgedItem:
    dialogue = [
        Turn(turn["character"], _clean_speech(turn["message"], turn["character"]))
        for turn in scene["dialogues"]
    ]
    characters = [
        f"- {character['name']}: {character.get('motivation') or character['thought']}"
        for character in scene["key_characters"]
    ]
    book = f"Book: {scene['book']}\nPlot: {scene['plot']['summary']}"
    return JudgedItem(
        id=f"coser-{content_hash(scene['book'], plot, scene['i_c'], scene['scenario'])}",
        family="role_playing",
        domain="role_playing",
        source=source,
        cluster=f"coser-{content_hash(scene['book'])}",
        query="\n".join(
            [scene["scenario"], f"Topic: {scene['topic']}", "Characters:", *characters]
        ),
        responses={} if response is None else {ORIGINAL: response},
        reference=format_dialogue(dialogue),
        criteria=build_role_playing_criteria(scene["major_characters"]),
        attacked_criterion=ROLE_PLAYING[-1],
        background=f"{book}\n\n{format_profiles(profiles)}",
    )


def _clean_speech(text: str, role: str) -> str:
    """Return speech and action without the role's name before them and without inner thoughts."""
    return _THOUGHT.sub("", text.removeprefix(f"{role}:")).strip()


def _convert_criterion(record: Mapping[str, str]) -> Criterion:
    scale = [f"{band}: {record[band]}" for band in _SCORE_BANDS]
    return Criterion(record["name"], "\n".join([record["criteria_description"], *scale]))


@cache
def _load_text(name: str) -> str:
    path = _TEXTS / f"{name.lower().replace(' ', '_')}.txt"
    return path.read_text(encoding="utf-8").rstrip("\n")
