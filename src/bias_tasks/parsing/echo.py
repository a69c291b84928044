"""Find what an answer repeats of its prompt word for word: an echo, which is not the answer.

A prompt contains sentences that would parse as answers: a suggested answer, worked examples, the
words to respond with. A model that repeats a part of the prompt has not said them. Words are
compared, whatever is between them. Fewer than `MIN_RUN` words in a row may be the model's own ("The
answer to this problem is 2."), and so may the text of the option that an answer names.
"""

import re
from collections.abc import Sequence

from bias_tasks.parsing.spelling import plain_spelling

MIN_RUN = 8
"""Number of words in a row that make an echo."""
MIN_OUTSIDE = 4
"""How many of these words are outside of the option that an answer may repeat."""
_MAX_EXAMINED = 16_000
"""Characters at the beginning of an answer of which the share that is an echo is computed."""
_ECHO_WORD = re.compile(r"\w+")
_PROMPT_OPTION = re.compile(r"^[ ]{0,4}(?:option )?\(?(?:\d{1,2}|[a-j])[.):] [^\n]*", re.M)
Span = tuple[int, int]
Words = Sequence[re.Match[str]]


def find_echoes(
    text: str, prompt: str, options: Sequence[str] = (), quoted: str = ""
) -> list[Span]:
    """Return the spans of a text that repeat its prompt, from left to right, in linear time.

    Args:
        text: The answer in the plain spelling.
        prompt: The prompt; empty if it is not known.
        options: The texts of its options, if known; an answer may repeat one of them.
        quoted: The model's own earlier answer, if the prompt quotes it.
    """
    words = list(_ECHO_WORD.finditer(text.lower())) if prompt else []
    if len(words) < MIN_RUN:
        return []
    spelled = _spell_prompt(prompt, quoted)
    texts = (plain_spelling(option) for option in options)
    option_spans = [match.span() for match in _PROMPT_OPTION.finditer(spelled)]
    option_spans += [(at, at + len(t)) for t in texts if t and (at := spelled.find(t)) >= 0]
    return _repeated_spans(words, spelled, option_spans)


def echo_share(text: str, prompt: str, quoted: str = "") -> float:
    """Return the share of the words at the beginning of an answer that repeat its prompt.

    Args:
        text: The answer.
        prompt: As in `find_echoes`.
        quoted: As in `find_echoes`.
    """
    low = plain_spelling(text[:_MAX_EXAMINED])
    words = list(_ECHO_WORD.finditer(low))
    spans = _repeated_spans(words, _spell_prompt(prompt, quoted), ())
    n_repeated = sum(len(_ECHO_WORD.findall(low, *span)) for span in spans)
    return n_repeated / max(1, len(words))


def _spell_prompt(prompt: str, quoted: str) -> str:
    """Return a prompt in the plain spelling, without the last place that quotes an answer."""
    spelled, own = plain_spelling(prompt), plain_spelling(quoted).strip()
    before, _, after = spelled.rpartition(own) if own else (spelled, "", "")
    return f"{before} {after}"


def _repeated_spans(words: Words, prompt: str, option_spans: Sequence[Span]) -> list[Span]:
    """Return the spans that repeat the prompt, unless one is a single option in `option_spans`."""
    prompt_words = list(_ECHO_WORD.finditer(prompt))
    runs = {run: index for index, run in reversed([*enumerate(_runs(prompt_words))])}
    repeated = [(index, runs[run]) for index, run in enumerate(_runs(words)) if run in runs]
    owners = [_owner(word.start(), option_spans) for word in prompt_words] if repeated else []
    groups: list[tuple[int, int, list[int]]] = []
    for index, prompt_index in repeated:
        copied = owners[prompt_index : prompt_index + MIN_RUN]
        is_next = bool(groups) and index <= groups[-1][1]
        begin, _, before = groups.pop() if is_next else (index, 0, copied[:-1])
        groups.append((begin, index + MIN_RUN, [*before, copied[-1]]))
    return [
        (words[begin].start(), words[end - 1].end())
        for begin, end, copied in groups
        if copied.count(-1) >= MIN_OUTSIDE or len({*copied} - {-1}) > 1
    ]


def _runs(words: Words) -> list[tuple[str, ...]]:
    """Return all runs of `MIN_RUN` words."""
    texts = [word[0] for word in words]
    return [tuple(texts[n : n + MIN_RUN]) for n in range(len(texts) - MIN_RUN + 1)]


def _owner(position: int, option_spans: Sequence[Span]) -> int:
    """Return the index of the span that contains a position, or -1."""
    return next((n for n, (start, end) in enumerate(option_spans) if start <= position < end), -1)
