"""Every format parses any answer in bounded time and memory, without raising."""

import tracemalloc
from random import Random

from bias_tasks.output_format.formats import FORMATS, ParsedFormat
from bias_tasks.output_format.formats.base import MAX_ANSWER_LENGTH
from bias_tasks.output_format.items import PROMPTINGS
from bias_tasks.parsing.json_values import MAX_VALUE_LENGTH
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import LARGE, hostile_answers
from tests.bias_tasks.output_format.cases import BINARY, LETTER, MEDIUM, NUMBER, OPTION, STRINGS

LIMIT = 5
"""Seconds of processor time per answer; one of LONG characters takes up to 0.1."""
LONG = 100_000
"""Characters."""
MEMORY = 20_000_000
"""Bytes that parsing 100 KB may take."""
PARSERS = [
    (fmt, item)
    for fmt in FORMATS.values()
    for item in (OPTION, LETTER, NUMBER, BINARY, STRINGS, MEDIUM)
    if fmt.supports(item) and (fmt.category != "wrapping" or item is NUMBER)
]


def _bomb(size):
    lines = ["Task: [x]", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 40)]
    return "\n".join([*lines, "Method: *a39"])[:size]


def _repeated(unit, prefix="", suffix=""):
    return lambda size: prefix + (unit * (size // len(unit) + 1))[:size] + suffix


SHAPES = {
    "alias bomb": _bomb,
    "closed brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "nested yaml": lambda size: "\n".join(" " * i + "- " for i in range(int((2 * size) ** 0.5))),
    "sentence of blanks": lambda size: "a b c d e f g" + " " * size + "a",
}
for _unit, *_around in (
    *(("&a [*a, ", "Task: "), ("- !!python/object/apply:os.system [x]\n", "Task:\n")),
    *(("Task: [a]\n",), ("**",), ("[",), ('{"Task": ',), ("- ",), ("<ANSWER></ANSWER>",)),
    *((" ", "```", "\n```"), ('"""',), ("'''\"\"\"",), ("a", "['"), ("\\", "['", "']")),
    *(("\\ud800", "['", "']"), ("a, ", "Task: [", "]"), ("- a\n", "Task:\n"), ("**9", "[9", "]")),
    *(("- 1\n",), ("1\n",), ("1<SEP>",), ("here is a list ", "", ":\n- a"), ("a = [\n",)),
    *(("```\na\n```\n",), ("# a\n", "[", "]"), ("The answer is **1**. ",), ("not **1** ",)),
    *(("\\'", "['", "]"), ('\\"', '["', "]"), ("' '", "{", "}")),
    *(("\\[",), ("\\]", "[["), ("2*",), ('"So the answer is: a" b ',), ("\n\nQuestion: a",)),
    *(("So the answer is: \n",), ("{", "So the answer is: "), ("\ud800", "Task: ['", "']")),
):
    SHAPES[_unit] = _repeated(_unit, *_around)


def _parse(fmt, item, text, prompting="zs"):
    for protocol in ("corrected", "published"):
        with cpu_limit(LIMIT, f"{text[:20]!r}... as {fmt.name}"):
            parsed = fmt.parse(text, item, protocol, prompting)
        assert isinstance(parsed, ParsedFormat)
        assert parsed.follows or parsed.explanation
        if protocol == "corrected":
            assert parsed.follows == (parsed.payload is not None)


def test_hostile_answers_and_random_sequences_of_marks():
    """Short random texts of marks break a parser that splits and counts."""
    marks = ["*", "**", "[", "]", "(", ")", "{", "}", '"', "'", '"""', "'''", ",", ":", "-", " "]
    marks += ["\n", "\\", "<ANSWER>", "</ANSWER>", "<SEP>", "So the answer is: ", "1", "0", "a"]
    marks += ["Task", "Method", "&a", "*a", "!!x", "```", "...", "None", "\ud800", "\0", "\r"]
    rng = Random(0)
    texts = [text for _, text in hostile_answers(2_000)]
    texts += ["".join(rng.choices(marks, k=rng.randrange(1, 30))) for _ in range(4_000)]
    for n, text in enumerate(texts):
        fmt, item = PARSERS[n % len(PARSERS)]
        _parse(fmt, item, text, PROMPTINGS[n // len(PARSERS) % 2])


def test_long_answers():
    """So long that a quadratic search would take more than the limit."""
    for n, make in enumerate(SHAPES.values()):
        text = make(LONG)
        for fmt, item in PARSERS[n % 2 :: 2]:
            _parse(fmt, item, text)
        _parse(FORMATS["yaml"], MEDIUM, make(MAX_VALUE_LENGTH)[:MAX_VALUE_LENGTH])
        for prompting in PROMPTINGS:
            _parse(FORMATS["character"], LETTER, f"<ANSWER>{make(LONG)}</ANSWER>", prompting)


def test_longer_answers_are_not_parsed():
    text = "(" * (MAX_ANSWER_LENGTH + 1)
    for fmt, item in PARSERS:
        for prompting in PROMPTINGS:
            _parse(fmt, item, text, prompting)
            assert not fmt.parse(text, item, "published", prompting).follows


def test_memory_is_bounded():
    for shape in ("alias bomb", "\\ud800", "a, ", "1\n", "closed brackets", "2*"):
        for fmt, item in PARSERS[::2]:
            tracemalloc.start()
            fmt.parse(SHAPES[shape](LARGE), item, "corrected", "zs")
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < MEMORY, (fmt.name, shape, peak)


def test_nothing_is_evaluated(monkeypatch):
    """Evaluating any of these texts would end the tests or call `os.system`."""
    ran = []
    monkeypatch.setattr("os.system", ran.append)
    for text in (
        "[__import__('os').system('true')]",
        "{'Task': [exec('raise SystemExit')], 'Method': []}",
        "Task: !!python/object/apply:os.system ['true']\nMethod: []",
        "[9**9**9**9]",
        "['a' * 10**12]",
    ):
        for fmt, item in PARSERS:
            for protocol in ("corrected", "published"):
                fmt.parse(text, item, protocol)
                if fmt.name in ("python", "json"):
                    assert not fmt.parse(text, item, protocol).follows
    assert not ran
