"""Probes of the prompt: the question's words, and what precedes them."""

import random
import re
from collections.abc import Mapping, Sequence

from bias_tasks.data.core import core_rows
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, decode_utf8, read_whole, read_yaml
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.probes.base import ProbeInput, probe, require_text
from bias_tasks.probing.rewordings import Kind
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason

_TEXTS = read_yaml(__package__, "texts")
SYSTEM_MESSAGES: tuple[str, ...] = tuple(_TEXTS["system_messages"])
PERSONAS: tuple[str, ...] = tuple(_TEXTS["personas"])
STATEMENTS: tuple[str, ...] = tuple(_TEXTS["statements"])
INSTRUCTIONS: Mapping[str, Sequence[str]] = read_yaml(__package__, "instructions")
_MAX_SHORT = 60
"""Characters of a correct answer that counts as short."""
_MAX_FILE = 100_000
"""Bytes of a user's file of instructions."""
_MAX_SEARCHED = 200_000
"""Characters of an item's text that are searched for words."""
_TYPO_SHARE = 0.1
"""Share of the longer, lower-case words that get a typo: numbers and names stay."""
_CAN_HAVE_TYPO = re.compile(r"(?<![\w/\\.@$])[A-Za-z]{4,30}(?![\w/\\@$])")
_LONGER_WORD = re.compile(r"[a-z]{5,}")
_ABOUT_ITS_TEXT = re.compile(
    r"\b(?:translat(?:e|ion)|summar(?:y|i[sz]e)|rewrite|rephrase|paraphrase|repeat|proofread"
    r"|how many (?:words|letters|characters|sentences|lines)"
    r"|(?:first|last|following|longest|shortest) (?:word|letter|sentence|line|text))",
    re.IGNORECASE,
)


@probe(place="first")
def paraphrase(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """The question in other words: from a file (`rewordings`) or from the core set."""
    if run.rewordings:
        return Perturbation(_find_rewording(item, run, "paraphrase")[0])
    core = {row["question"]: (row["synonym"], row["polite"]) for row in core_rows("binary")}
    question = next((text for text in core if item.text.rstrip().endswith(text)), None)
    if question is None:
        raise ProbeNotApplicableError(SkipReason.NO_REWORDINGS_FILE)
    return Perturbation(item.text.replace(question, rng.choice(core[question])))


@probe(place="first")
def language(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """The question in another language, from a file (`rewordings`); the choices are unchanged.

    An answer in words is requested in the original's language. If the correct choice is known and
    no choices are displayed, likelihoods are compared and no answer is written.
    """
    text, original_language = _find_rewording(item, run, "language")
    is_written = not item.choices and not item.correct
    if is_written and any(character.isalpha() for character in item.target):
        return Perturbation(text, suffix=f"Give your final answer in {original_language}.")
    return Perturbation(text)


def _find_rewording(item: ProbedItem, run: ProbeInput, kind: Kind) -> tuple[str, str]:
    """Return an item's new text, with the original's outer blanks, and the original's language."""
    row = run.rewordings.get((item.id, kind))
    if row is None:
        raise ProbeNotApplicableError(SkipReason.NO_ROW)
    require_text(item)
    if (refusal := row.find_refusal(item)) is not None:
        raise refusal
    text = item.text.replace(item.text.strip(), (row.reworded or "").strip())
    return text, row.original_language


@probe()
def typo(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """A typo in 10 % of the longer words, at least one."""
    words = [m for m in _CAN_HAVE_TYPO.finditer(item.text[:_MAX_SEARCHED]) if m[0].islower()]
    if not words:
        raise ProbeNotApplicableError(SkipReason.NO_WORD_TO_MISTYPE)
    selected = rng.sample(words, max(1, round(_TYPO_SHARE * len(words))))
    parts, end = [], 0
    for match in sorted(selected, key=re.Match.start):
        parts += [item.text[end : match.start()], _mistype(match[0], rng)]
        end = match.end()
    return Perturbation(text="".join([*parts, item.text[end:]]))


def _mistype(word: str, rng: random.Random) -> str:
    """Return a word with a letter dropped, doubled or swapped with the next one."""
    index = rng.randrange(1, len(word) - 2)
    kind = rng.choice(("drop", "double", "swap"))
    if kind == "double":
        return word[:index] + word[index] + word[index:]
    swap = next((i for i in range(index, len(word) - 1) if word[i] != word[i + 1]), None)
    if kind == "drop" or swap is None:
        return word[:index] + word[index + 1 :]
    return word[:swap] + word[swap + 1] + word[swap] + word[swap + 2 :]


@probe()
def system(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """A common system message, such as `You are a helpful assistant.`"""
    return Perturbation(system=rng.choice(SYSTEM_MESSAGES))


@probe()
def persona(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """A system message that gives the model a role, such as a retired sailor."""
    return Perturbation(system=rng.choice(PERSONAS))


@probe()
def distract(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """An unrelated sentence before the question.

    After the redundant instructions of Instruction Boundary (section 2.1, table 2). The paper adds
    options, which needs a task whose parser knows of them.
    """
    require_text(item)
    text = item.text[:_MAX_SEARCHED]
    if _ABOUT_ITS_TEXT.search(text):
        raise ProbeNotApplicableError(SkipReason.ABOUT_ITS_TEXT)
    words = _find_word_stems(" ".join([text, *item.choices]))
    unrelated = [text for text in STATEMENTS if words.isdisjoint(_find_word_stems(text))]
    if not unrelated:
        raise ProbeNotApplicableError(SkipReason.NO_UNRELATED_STATEMENT)
    return Perturbation(text=f"{rng.choice(unrelated)} {item.text}")


@probe()
def instruction(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """One of twenty instructions (or one from the file `instructions`) before the prompt, which
    keeps its own instruction.

    There are twenty for items with choices, and twenty for items with a short answer.
    """
    require_text(item)
    wordings = run.instructions or INSTRUCTIONS["choice" if item.choices else "short"]
    if not run.instructions and item.choices and len(item.correct) > 1:
        raise ProbeNotApplicableError(SkipReason.SEVERAL_CORRECT)
    if not run.instructions and not (item.choices or 0 < len(item.target) <= _MAX_SHORT):
        raise ProbeNotApplicableError(SkipReason.NO_SHORT_ANSWER)
    return Perturbation(prefix=rng.choice(wordings))


def read_instructions(path: str | None) -> tuple[str, ...]:
    """Return the instructions of the file that a user names, each once; none without a file.

    Raises:
        DataError: The file cannot be read, or has no instruction.
    """
    if path is None:
        return ()
    try:
        text = decode_utf8(read_whole(as_path(path), _MAX_FILE))
    except ValueError as error:
        raise DataError(f"instructions={path!r}: {error}") from error
    lines = dict.fromkeys(line.strip() for line in text.splitlines() if line.strip())
    if not lines:
        raise DataError(f"instructions={path!r} is empty: write one instruction per line")
    return tuple(lines)


def _find_word_stems(text: str) -> set[str]:
    """Return the first five letters of each longer word, equal for `sleeps` and `sleeping`."""
    return {word[:5] for word in _LONGER_WORD.findall(text.casefold())}
