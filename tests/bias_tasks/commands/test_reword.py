"""`bias-tasks reword`: what is asked of a model, what becomes of its replies, and going on."""

import re
from collections import Counter

import pytest

from bias_tasks.probing.rewordings import PASSED, read_file
from tests.bias_tasks.commands.asking import Asked, read, run, write
from tests.bias_tasks.probing.harness_tasks import write as write_task
from tests.bias_tasks.probing.probed import own

LETTERED = own("lettered_choices")
SIX = 6
FRAME = "Let me ask this:"
_LETTERS = re.compile(r"[A-Za-z]+")


def reworder(prompt, spoil=str):
    """Puts a text into a frame, or each of its words backwards; says that all texts are alike."""
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
def asked(monkeypatch):
    return Asked(monkeypatch, reworder)


def reword(out, *more, task=LETTERED, model="m"):
    return run("reword", task, "--out", out, "--model", model, *more)


def test_every_item_is_reworded_and_translated_and_nothing_is_asked_twice(out, asked):
    result = reword(out, "--language", "German")
    assert result.exit_code == 0, result.output
    assert "paraphrase: 6 of 6 items can be asked" in result.output
    assert "language: 6 of 6 items can be asked" in result.output
    found = read(out)
    assert Counter(each["kind"] for each in found) == {"paraphrase": SIX, "language": SIX}
    assert len(asked) == len(set(asked)) == SIX * 2 + SIX * 3
    first, second = found[:2]
    assert first["reworded"].startswith(FRAME)
    assert second["back_translation"] == second["original"] != second["reworded"]
    assert first["checks"] == second["checks"] == {"text": PASSED, "same": PASSED}
    assert (second["language"], second["model"], second["attempts"]) == ("German", "mockllm/m", 1)
    # Nobody who translates back, or judges, is shown what the other call was shown.
    backs = [each for each in asked.prompts if "from German into English" in each]
    assert ["strangers" in each for each in backs] == [False] * SIX
    write(out, found[:4])
    asked.clear()
    assert reword(out, "--language", "German").exit_code == 0
    assert (read(out), asked) == (found, [])
    french = reword(out, "--language", "French")
    assert "has translations from English into German. Give another --out" in french.output
    assert f"was made from {LETTERED}" in reword(out, task=own("free_text")).output


def test_what_is_wrong_with_a_rewording_is_caught_and_kept_for_review(out, asked, tmp_path):
    path = write_task(tmp_path, "arc_easy", 3)
    cases = {
        "it is much longer": ("text", lambda text: text * 4),
        "it is empty": ("text", lambda text: ""),
        "it has more than 50,000": ("text", lambda text: text * 50_000),
        "the model says": ("same", None),
    }
    for told, (check, spoil) in cases.items():
        out.unlink(missing_ok=True)
        asked.answer = lambda p, spoil=spoil: (
            "No" if spoil is None and "Text: " not in p else reworder(p, spoil or str)
        )
        result = reword(out, "--host", "lm-eval", "-T", "n=1", model=told[7:11], task=path)
        assert "paraphrase: 0 of 1 items can be asked; 1: " in result.output
        [row] = read(out)
        assert told in row["checks"][check]
        assert len(row["reworded"] or "") <= 17_000
        assert row["attempts"] == (1 if check == "same" else 3)


def test_another_model_is_asked_for_what_was_refused_alone_and_what_a_person_did_stays(out, asked):
    asked.answer = lambda prompt: reworder(prompt, lambda text: text * 4)
    reword(out)
    edited = read(out)
    assert PASSED not in [each["checks"]["text"] for each in edited]
    edited[0]["approved"] = False
    edited[1] |= {"reworded": "Mine?", "approved": True}
    write(out, edited)
    asked.answer = reworder
    asked.clear()
    assert reword(out, model="other").exit_code == 0
    assert len(asked) == 2 * (SIX - 2)
    assert read(out)[:2] == edited[:2]
    assert len(read_file(out)) == SIX


def test_what_can_not_be_done_is_said_in_a_line(out, asked):
    wrong = {
        "--kinds language": "and language among --kinds go together",
        "--kinds paraphrase --language German": "and language among --kinds go together",
        "--kinds translation": "expected some of paraphrase, language",
        "--language english": "--language is the items' own, English",
        "-T probes=typo": "-T probes: it says how a run asks",
        "-T subject=law": "unknown parameter 'subject'",
        "-T n=0": "n=0: expected a whole number from 1 on",
        "--host lm-eval -T count=2": "unknown parameter 'count'",
    }
    for words, told in wrong.items():
        result = reword(out, *words.split())
        assert result.exit_code != 0, words
        assert told in " ".join(result.output.split()), words
    assert not asked
    assert not out.exists()
