"""Probes of the prompt: the question's words, and what stands in front of them."""

import random
import re

from bias_tasks.data.core import core_rows
from bias_tasks.data.files import read_yaml
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, ProbeInput, need_text
from bias_tasks.probing.rewordings import HOW

_TEXTS = read_yaml(__package__, "texts")
SYSTEMS, PERSONAS, STATEMENTS = (
    tuple(_TEXTS[each]) for each in ("systems", "personas", "statements")
)
"""Ours. No statement has a number, and none tells anything that a question could build on."""
NO_REWORDINGS = f"no rewordings are at hand, as rewordings=rewordings.jsonl: {HOW}"
_LOOKED_AT = 200_000
"""Characters of an item's text in which words are looked for."""
_SLIPS = 0.1
"""Share of the longer, lower-case words in which a slip is made: numbers and names stay."""
_MAY_SLIP = re.compile(r"(?<![\w/\\.@$])[A-Za-z]{4,30}(?![\w/\\@$])")
_LONGER_WORD = re.compile(r"[a-z]{5,}")
_OWN_TEXT = re.compile(
    r"\b(?:translat(?:e|ion)|summar(?:y|i[sz]e)|rewrite|rephrase|paraphrase|repeat|proofread"
    r"|how many (?:words|letters|characters|sentences|lines)"
    r"|(?:first|last|following|longest|shortest) (?:word|letter|sentence|line|text))",
    re.IGNORECASE,
)


def paraphrase(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The question in other words, of a file (`rewordings`), or of bias-core where it is one of
    its yes/no questions; left out without either."""
    if given.rewordings:
        return Asked(_reworded(item, given, "paraphrase")[0])
    core = {row["question"]: (row["synonym"], row["polite"]) for row in core_rows("binary")}
    own = next((each for each in core if item.text.rstrip().endswith(each)), None)
    if own is None:
        raise DoesNotApplyError(NO_REWORDINGS)
    return Asked(item.text.replace(own, rng.choice(core[own])))


def language(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The question in another language, of a file (`rewordings`); its choices stay.

    An answer in the original's words is asked for in its language. Where `right` is known without
    printed choices, likelihoods are compared and nothing is written."""
    text, original = _reworded(item, given, "language")
    written = not (item.choices or item.right) and any(each.isalpha() for each in item.target)
    return Asked(text, ending=f"Give your final answer in {original}." if written else "")


def _reworded(item: ProbedItem, given: ProbeInput, kind: str) -> tuple[str, str]:
    """The text of an item's row, between the original's blanks, and the original's language."""
    row = given.rewordings.get((item.id, kind))
    if row is None:
        raise DoesNotApplyError("the file has none of it")
    reason = row.refusal(item) if item.text.strip() else "it has no text of its own"
    if reason is not None:
        raise DoesNotApplyError(reason)
    text = item.text.replace(item.text.strip(), (row.reworded or "").strip())
    return text, row.original_language


def typo(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """A slip of the keyboard in one word of ten, at least one."""
    words = [match for match in _MAY_SLIP.finditer(item.text[:_LOOKED_AT]) if match[0].islower()]
    if not words:
        raise DoesNotApplyError("it has no word to slip in")
    slips = rng.sample(words, max(1, round(_SLIPS * len(words))))
    parts, end = [], 0
    for match in sorted(slips, key=re.Match.start):
        parts += [item.text[end : match.start()], _slipped(match[0], rng)]
        end = match.end()
    return Asked(text="".join([*parts, item.text[end:]]))


def _slipped(word: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(word) - 2)
    kind = rng.choice(("drop", "double", "swap"))
    if kind == "double":
        return word[:place] + word[place] + word[place:]
    at = next((p for p in range(place, len(word) - 1) if word[p] != word[p + 1]), None)
    if kind == "drop" or at is None:
        return word[:place] + word[place + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def system(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """A common system message in front (`You are a helpful assistant.` and the like)."""
    return Asked(system=rng.choice(SYSTEMS))


def persona(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """A system message that gives the model a part, such as a retired sailor's."""
    return Asked(system=rng.choice(PERSONAS))


def distract(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """A sentence before the question that has nothing to do with it.

    Redundant instructions of Instruction Boundary (section 2.1, table 2), where the paper adds
    options, which only a task could ask whose reader knows of them."""
    need_text(item)
    text = item.text[:_LOOKED_AT]
    if _OWN_TEXT.search(text):
        raise DoesNotApplyError("it asks about its own text")
    words = _longer_words(" ".join([text, *item.choices]))
    others = [each for each in STATEMENTS if words.isdisjoint(_longer_words(each))]
    if not others:
        raise DoesNotApplyError("every statement shares a word with it")
    return Asked(text=f"{rng.choice(others)} {item.text}")


def _longer_words(text: str) -> set[str]:
    """The first five letters of each longer word, so that `sleeps` and `sleeping` are one."""
    return {word[:5] for word in _LONGER_WORD.findall(text.casefold())}
