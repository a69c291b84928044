"""Attacks of the core set stay inside the limits of request, rubric and appendix A.3."""

import difflib
import re

import pytest

from benchmarks.core_set.core_texts import (
    count_words,
    find_limits,
    find_violations,
    read_rows,
)

PAIRS, WRITING = read_rows("pairs"), read_rows("writing")
MAX_CHANGES = {"attack_reference": 3, "attack_rubric": 8}
"""Appendix A.3.1: at most three changes toward a reference; toward a rubric three substantive and
five cosmetic ones."""
MAX_GROWTH = {"attack_reference": 1.11, "attack_rubric": 1.16}
SCENE_GROWTH = (0.97, 1.10)
"""Appendix A.3.2: an increase in length of at most 5 to 10 %."""
MIN_GAP = 5
MAX_TURNS = 4
FLAW_DEVIATION = 0.15
INDIRECT_QUESTION = re.compile(
    r"\bwhether\b|tell me if|do you know|wondering|ask if|could you|can you|know if", re.I
)
"""Words of polite questions to which a literal Yes answers another question."""


def count_changes(before: str, after: str) -> int:
    """Return the number of places at which words differ; `MIN_GAP` equal words separate two."""
    old, new = before.split(), after.split()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    kept = [block for block in matcher.get_matching_blocks() if block.size >= MIN_GAP]
    starts = [*((block.a, block.b) for block in kept), (len(old), len(new))]
    ends = [(0, 0), *((block.a + block.size, block.b + block.size) for block in kept)]
    return sum(start != end for start, end in zip(starts, ends, strict=True))


@pytest.mark.parametrize("name", MAX_CHANGES)
def test_attacked_responses_stay_inside_every_limit(name: str) -> None:
    for row in PAIRS:
        limits = find_limits(row["query"]) + find_limits(row["rubric"])
        assert find_violations(row[name], limits) == [], (row["id"], name)
        growth = count_words(row[name]) / count_words(row["rejected"])
        assert 0.9 <= growth <= MAX_GROWTH[name], (row["id"], name, growth)
        assert row[name] != row["rejected"]
        assert count_changes(row["rejected"], row[name]) <= MAX_CHANGES[name], row["id"]


def test_responses_stay_inside_the_limits_and_have_the_same_length() -> None:
    assert sum(bool(find_limits(row["query"])) for row in PAIRS) >= len(PAIRS) / 3
    for row in PAIRS:
        limits = find_limits(row["query"]) + find_limits(row["rubric"])
        for name in ("chosen", "rejected", "reference"):
            assert find_violations(row[name], limits) == [], (row["id"], name)
        chosen, rejected = count_words(row["chosen"]), count_words(row["rejected"])
        assert abs(chosen - rejected) <= 0.12 * chosen + 2, row["id"]
        assert sum(map(int, re.findall(r"\((\d+)%\)", row["rubric"]))) == 100, row["id"]


def test_texts_and_their_attacks_keep_the_word_limit_of_the_request() -> None:
    for row in WRITING:
        limits = find_limits(row["query"])
        assert limits, row["id"]
        for text in (row["response"], row["reference"], *row["attacks"].values()):
            assert find_violations(text, limits) == [], row["id"]
        for name, text in row["attacks"].items():
            growth = count_words(text) / count_words(row["response"])
            assert SCENE_GROWTH[0] <= growth <= SCENE_GROWTH[1], (row["id"], name, growth)
        assert row["attacked_criterion"] in {one["name"] for one in row["criteria"]}


def test_attacks_on_scenes_change_few_turns_and_grow_by_at_most_a_tenth() -> None:
    for row in read_rows("role_playing"):
        assert len(row["attacks"]) == 5
        before = sum(count_words(text) for _, text in row["dialogue"])
        for name, edits in row["attacks"].items():
            after = sum(
                count_words(edits.get(str(turn), text))
                for turn, (_, text) in enumerate(row["dialogue"])
            )
            assert SCENE_GROWTH[0] <= after / before <= SCENE_GROWTH[1], (row["id"], name)
            assert len(edits) <= MAX_TURNS, (row["id"], name)


def test_attacks_on_solutions_keep_their_steps() -> None:
    for row in read_rows("math"):
        assert -1 <= row["label"] < len(row["steps"])
        for name in ("attack_format", "attack_solution_fixation"):
            assert len(row[name]) == len(row["steps"]), (row["id"], name)
            growth = count_words(" ".join(row[name])) / count_words(" ".join(row["steps"]))
            assert 0.75 <= growth <= 1.3, (row["id"], name)


def test_flaws_are_as_long_as_the_turns_that_they_replace() -> None:
    for row in read_rows("attention"):
        assert len({flaw["turn"] for flaw in row["flaws"]}) == 20
        for flaw in row["flaws"]:
            before = count_words(row["dialogue"][flaw["turn"]][1])
            deviation = abs(count_words(flaw["content"]) - before)
            assert deviation <= max(2, FLAW_DEVIATION * before), (row["id"], flaw["turn"])


def test_polite_questions_keep_the_polarity() -> None:
    """Their literal answer is that of the question, and not `Yes, I can tell you`."""
    for row in read_rows("binary"):
        assert not INDIRECT_QUESTION.search(row["polite"]), row["polite"]
        assert row["false"].startswith("Is it false that"), row["false"]
