"""`bias-tasks reword`: its requests, the rows that it writes, and resuming."""

import re
from collections import Counter

import pytest

from bias_tasks.probing.rewordings import PASSED, read_file
from tests.bias_tasks.commands.batch_requests import Requests, read, run, write
from tests.bias_tasks.probing.harness_tasks import write as write_task
from tests.bias_tasks.probing.probed import own

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
        return spoil(_LETTERS.sub(lambda word: _turned(word[0]), text))
    return spoil(f"{FRAME} {text[0].lower()}{text[1:]}")


def _turned(word):
    turned = word[::-1]
    return turned.capitalize() if word[0].isupper() and word[1:].islower() else turned


@pytest.fixture
def requests(monkeypatch):
    return Requests(monkeypatch, reworder)


def reword(out, *options, task=LETTERED, model="m"):
    return run("reword", task, "--out", out, "--model", model, *options)


def test_every_item_is_reworded_and_translated_and_no_request_is_repeated(out, requests):
    result = reword(out, "--language", "German")
    assert result.exit_code == 0, result.output
    assert "paraphrase: 6 of 6 items are usable" in result.output
    assert "language: 6 of 6 items are usable" in result.output
    rows = read(out)
    assert Counter(row["kind"] for row in rows) == {"paraphrase": SIX, "language": SIX}
    assert len(requests) == len(set(requests)) == SIX * 2 + SIX * 3
    first, second = rows[:2]
    assert first["reworded"].startswith(FRAME)
    assert second["back_translation"] == second["original"] != second["reworded"]
    assert first["checks"] == second["checks"] == {"text": PASSED, "same": PASSED}
    assert (second["language"], second["model"], second["attempts"]) == ("German", "mockllm/m", 1)
    # A request for a back translation does not have the original text.
    prompts = [prompt for prompt in requests.prompts if "from German into English" in prompt]
    assert ["strangers" in prompt for prompt in prompts] == [False] * SIX
    write(out, rows[:4])
    requests.clear()
    assert reword(out, "--language", "German").exit_code == 0
    assert (read(out), requests) == (rows, [])
    french = reword(out, "--language", "French")
    assert "has translations from English into German. Give another --out" in french.output
    assert f"was made from {LETTERED}" in reword(out, task=own("free_text")).output


def test_what_is_wrong_with_a_rewording_is_caught_and_kept_for_review(out, requests, tmp_path):
    path = write_task(tmp_path, "arc_easy", 3)
    cases = {
        "it is much longer": ("text", lambda text: text * 4),
        "it is empty": ("text", lambda text: ""),
        "it has more than 50,000": ("text", lambda text: text * 50_000),
        "the model does not confirm": ("same", None),
    }
    for message, (check, spoil) in cases.items():
        out.unlink(missing_ok=True)
        requests.answer = lambda p, spoil=spoil: (
            "No" if spoil is None and "Text: " not in p else reworder(p, spoil or str)
        )
        result = reword(out, "--framework", "lm-eval", "-T", "n=1", model=message[7:11], task=path)
        assert "paraphrase: 0 of 1 items are usable; 1: " in result.output
        [row] = read(out)
        assert message in row["checks"][check]
        assert len(row["reworded"] or "") <= 17_000
        assert row["attempts"] == (1 if check == "same" else 3)


def test_another_model_gets_only_refused_items_and_edits_by_a_person_stay(out, requests):
    requests.answer = lambda prompt: reworder(prompt, lambda text: text * 4)
    reword(out)
    edited = read(out)
    assert PASSED not in [row["checks"]["text"] for row in edited]
    edited[0]["approved"] = False
    edited[1] |= {"reworded": "Mine?", "approved": True}
    write(out, edited)
    requests.answer = reworder
    requests.clear()
    assert reword(out, model="other").exit_code == 0
    assert len(requests) == 2 * (SIX - 2)
    assert read(out)[:2] == edited[:2]
    assert len(read_file(out)) == SIX


def test_wrong_arguments_are_one_line(out, requests):
    wrong = {
        "--kinds language": "and language among --kinds need each other",
        "--kinds paraphrase --language German": "and language among --kinds need each other",
        "--kinds translation": "expected some of paraphrase, language",
        "--language english": "--language and --from are both English: change one",
        "-T probes=typo": "-T probes: it is a parameter of a run",
        "-T subject=law": "unknown parameter 'subject'",
        "-T n=0": "n=0: expected an integer of at least 1",
        "--framework lm-eval -T count=2": "unknown parameter 'count'",
    }
    for words, message in wrong.items():
        result = reword(out, *words.split())
        assert result.exit_code != 0, words
        assert message in " ".join(result.output.split()), words
    assert not requests
    assert not out.exists()
