"""Whatever an answer holds, every format reads it in bounded time and memory, without raising."""

import tracemalloc
from random import Random

from bias_tasks.output_format.formats import FORMATS, FormatReading
from bias_tasks.output_format.formats.base import MAX_READ
from bias_tasks.output_format.formats.notation import MAX_TEXT
from bias_tasks.output_format.items import PROMPTINGS
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import LARGE, hostile_answers
from tests.bias_tasks.output_format.cases import BINARY, LETTER, MEDIUM, NUMBER, OPTION, STRINGS

LIMIT = 5
"""Seconds of processor time for an answer; one of LONG takes up to 0.1."""
LONG = 100_000
"""Characters."""
MEMORY = 20_000_000
"""Bytes that it may take for 100 KB."""
READERS = [
    (fmt, item)
    for fmt in FORMATS.values()
    for item in (OPTION, LETTER, NUMBER, BINARY, STRINGS, MEDIUM)
    if fmt.holds(item) and (fmt.category != "wrapping" or item is NUMBER)
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
    *(("\\[",), ("\\]", "[["), ("2*",), ('"So the answer is: a" b ',), ("\n\nQuestion: a",)),
    *(("So the answer is: \n",), ("{", "So the answer is: "), ("\ud800", "Task: ['", "']")),
):
    SHAPES[_unit] = _repeated(_unit, *_around)


def _read(fmt, item, text, prompting="zs"):
    for protocol in ("corrected", "published"):
        with cpu_limit(LIMIT, f"{text[:20]!r}... as {fmt.name}"):
            reading = fmt.read(text, item, protocol, prompting)
        assert isinstance(reading, FormatReading)
        assert reading.follows or reading.detail
        if protocol == "corrected":
            assert reading.follows == (reading.payload is not None)


def test_hostile_answers_of_every_kind_and_any_order_of_the_marks_themselves():
    """Short random texts of nothing but marks break a reader that splits and counts."""
    marks = ["*", "**", "[", "]", "(", ")", "{", "}", '"', "'", '"""', "'''", ",", ":", "-", " "]
    marks += ["\n", "\\", "<ANSWER>", "</ANSWER>", "<SEP>", "So the answer is: ", "1", "0", "a"]
    marks += ["Task", "Method", "&a", "*a", "!!x", "```", "...", "None", "\ud800", "\0", "\r"]
    rng = Random(0)
    texts = [text for _, text in hostile_answers(2_000)]
    texts += ["".join(rng.choices(marks, k=rng.randrange(1, 30))) for _ in range(4_000)]
    for n, text in enumerate(texts):
        fmt, item = READERS[n % len(READERS)]
        _read(fmt, item, text, PROMPTINGS[n // len(READERS) % 2])


def test_long_answers():
    """So long that a quadratic search would take more than the limit."""
    for n, make in enumerate(SHAPES.values()):
        text = make(LONG)
        for fmt, item in READERS[n % 2 :: 2]:
            _read(fmt, item, text)
        _read(FORMATS["yaml"], MEDIUM, make(MAX_TEXT)[:MAX_TEXT])
        for prompting in PROMPTINGS:
            _read(FORMATS["character"], LETTER, f"<ANSWER>{make(LONG)}</ANSWER>", prompting)


def test_longer_answers_are_not_read():
    for text in ("**" * 1_000_000, "(" * (MAX_READ + 1)):
        for fmt, item in READERS:
            for prompting in PROMPTINGS:
                _read(fmt, item, text, prompting)
                assert not fmt.read(text, item, "published", prompting).follows


def test_memory_is_bounded():
    for shape in ("alias bomb", "\\ud800", "a, ", "1\n", "closed brackets", "2*"):
        text = SHAPES[shape](LARGE)
        for fmt, item in READERS[::2]:
            tracemalloc.start()
            fmt.read(text, item, "corrected", "zs")
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < MEMORY, (fmt.name, text[:40], peak)


def test_nothing_is_evaluated(monkeypatch):
    """Each of these would end the tests, or leave its mark, if it were."""
    ran = []
    monkeypatch.setattr("os.system", ran.append)
    for text in (
        "[__import__('os').system('true')]",
        "{'Task': [exec('raise SystemExit')], 'Method': []}",
        "Task: !!python/object/apply:os.system ['true']\nMethod: []",
        "[9**9**9**9]",
        "['a' * 10**12]",
    ):
        for fmt, item in READERS:
            for protocol in ("corrected", "published"):
                fmt.read(text, item, protocol)
                if fmt.name in ("python", "json"):
                    assert not fmt.read(text, item, protocol).follows
    assert not ran
