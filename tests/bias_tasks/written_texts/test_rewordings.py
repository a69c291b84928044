"""`make_rewordings`: its requests, and the rows that `probe` reads."""

import re
from collections import Counter

import pytest

from bias_tasks.probing.rewordings import PASSED, read_file
from bias_tasks.solvers.inspect_api import TaskError
from bias_tasks.written_texts_tasks import make_rewordings
from tests.bias_tasks.probing.harness_tasks import write as write_task
from tests.bias_tasks.probing.probed import own
from tests.bias_tasks.written_texts.writing import Writing, collect

LETTERED = own("lettered_choices")
SIX = 6
FRAME = "Let me ask this:"
_LETTERS = re.compile(r"[A-Za-z]+")


def reworder(prompt, spoil=str):
    """Put a text into a frame, or reverse each of its words; confirm that all texts are equal."""
    if "Text: " not in prompt:
        return "Yes"
    text = prompt.rpartition("\n\nText: ")[2]
    if "Translate the text" in prompt:
        return spoil(_LETTERS.sub(lambda word: _turn(word[0]), text))
    return spoil(f"{FRAME} {text[0].lower()}{text[1:]}")


def _turn(word):
    turned = word[::-1]
    return turned.capitalize() if word[0].isupper() and word[1:].islower() else turned


def test_every_item_is_reworded_and_translated(out):
    writing = Writing(make_rewordings(LETTERED, language="German"), reworder)
    done, rows = collect(writing.log, to=out)
    assert done.exit_code == 0, done.output
    assert Counter(row["kind"] for row in rows) == {"paraphrase": SIX, "language": SIX}
    assert len(writing.requests) == len(set(writing.requests)) == SIX * 2 + SIX * 3
    first, second = rows[:2]
    assert first["reworded"].startswith(FRAME)
    assert second["back_translation"] == second["original"] != second["reworded"]
    assert first["checks"] == second["checks"] == {"text": PASSED, "same": PASSED}
    assert (second["language"], second["attempts"]) == ("German", 1)
    assert (second["model"], second["task"]) == ("mockllm/model", LETTERED)
    assert len(read_file(out)) == 2 * SIX
    # A request for a back translation does not have the original text.
    prompts = [prompt for prompt in writing.prompts if "from German into English" in prompt]
    assert ["strangers" in prompt for prompt in prompts] == [False] * SIX


@pytest.mark.parametrize(
    ("message", "check", "spoil"),
    [
        ("it is much longer", "text", lambda text: text * 4),
        ("it is empty", "text", lambda text: ""),
        ("it has more than 50,000", "text", lambda text: text * 50_000),
        ("the checker rejected it", "same", None),
    ],
)
def test_what_is_wrong_with_a_rewording_is_kept_for_review(message, check, spoil, out, tmp_path):
    path = write_task(tmp_path, "arc_easy", 3)

    def answer(prompt):
        return "No" if spoil is None and "Text: " not in prompt else reworder(prompt, spoil or str)

    writing = Writing(make_rewordings(path, framework="lm-eval", n=1), answer)
    done, [row] = collect(writing.log, to=out)
    assert "1 x its rewording was refused" in done.output or not row["reworded"]
    assert message in row["checks"][check]
    assert len(row["reworded"] or "") <= 17_000
    assert row["attempts"] == (1 if check == "same" else 3)


def test_wrong_arguments_are_one_error():
    for arguments, message in (
        ({"kinds": "language"}, "and language among kinds need each other"),
        ({"kinds": "paraphrase", "language": "German"}, "among kinds need each other"),
        ({"kinds": "translation"}, "expected some of paraphrase, language"),
        ({"language": "english"}, "language and original_language are both English: change one"),
        ({"probes": "typo"}, "probes: it is a parameter of a run"),
        ({"subject": "law"}, "unknown parameter 'subject'"),
        ({"n": 0}, "n=0: expected an integer of at least 1"),
        ({"framework": "lm-eval", "count": 2}, "unknown parameter 'count'"),
    ):
        with pytest.raises(TaskError, match=message):
            make_rewordings(LETTERED, **arguments)
