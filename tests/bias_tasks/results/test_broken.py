"""Broken and hostile files: each is reported in one line and does not affect other files."""

import json
import re
import shutil
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bias_tasks.results.find import read_answers, read_runs
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.text import escape_formula
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import edit_log, harness_results, write_harness_results

TASK = "ib_vanilla_choice"
ESCAPE = "\x1b[2J\x1b]0;owned\x07\u202e\n\x85"
DEEP = "[" * 100_000


def dump_results(**changes):
    return json.dumps(harness_results(**changes))


def dump_record(**changes):
    content = harness_results()
    content["configs"][TASK]["metadata"]["bias_tasks"] |= changes
    return json.dumps(content)


BROKEN_OUTPUTS = {
    "deep": '{"results": {' + DEEP,
    "huge": '{"results": {}, "configs": {"x": ' + "9" * 5000 + "}}",
    "config": dump_results(config=None),
    "configs": dump_results(configs=3),
    "date": dump_results(date=1e300),
    "counts": dump_results(**{"n-samples": {TASK: []}}),
    "record": dump_results(configs={TASK: {"metadata": {"bias_tasks": {"parameters": 3}}}}),
    "metadata": dump_results(configs={TASK: {"metadata": [1]}}),
    "notes": dump_record(notes=[3]),
    "provenance": dump_record(provenance=[3]),
    "task_args": dump_record(task_args="x"),
    "not_utf8": b'{"results": {\xff\xfe',
    "cut": b'{"version": 2, "status": "success", "eval": {',
}
BROKEN_HEADERS = {
    "deep": lambda text: DEEP,
    "empty": lambda text: "",
    "cut": lambda text: text[: len(text) // 2],
    "protocol": lambda text: re.sub(r'"protocol":\s*"corrected"', '"protocol": 3', text),
    "notes": lambda text: re.sub(r'"notes":\s*\[', '"notes": [4, ', text),
}


def rewrite(path, change):
    """Change the text of each part of the log at `path`; return the path."""
    with zipfile.ZipFile(path) as log:
        parts = {name: log.read(name) for name in log.namelist()}
    with zipfile.ZipFile(path, "w") as log:
        for name, content in parts.items():
            log.writestr(name, change(name, content.decode()))
    return path


def test_each_broken_file_is_reported_in_one_line(folder):
    for name, content in BROKEN_OUTPUTS.items():
        path = folder / f"output_{name}.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, change in BROKEN_HEADERS.items():
        rewrite(
            shutil.copy(folder / "good.eval", folder / f"header_{name}.eval"),
            lambda part, text, change=change: change(text) if part == "header.json" else text,
        )
    (folder / "gone.eval").symlink_to(folder / "nowhere.eval")
    (folder / "folder.eval").mkdir()
    done = typed("results", "--all", folder)
    assert done.exit_code == 1
    lines = [line.removeprefix(f"{folder}/") for line in done.stderr.splitlines()]
    files = [f"header_{name}.eval" for name in BROKEN_HEADERS]
    files += [f"output_{name}.json" for name in BROKEN_OUTPUTS]
    messages = dict.fromkeys(files, "cannot be read as")
    messages["gone.eval"] = "cannot be read (No such file or directory)"
    assert sorted(line.partition(": ")[0] for line in lines) == sorted(messages)
    assert not [line for line in lines if messages[line.partition(": ")[0]] not in line]
    assert "bias_tasks/binaryqa_qa" in done.stdout
    assert TASK not in done.stdout


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_truncated_or_corrupted_log_does_not_affect_another(folder, data):
    content = bytearray((folder / "good.eval").read_bytes())
    index = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[index] ^= data.draw(st.integers(1, 255))
    else:
        del content[index:]
    broken = folder / "z_broken.eval"
    broken.write_bytes(bytes(content))
    results = read_runs([folder])
    assert [r for r in results if isinstance(r, Run) and r.path.name == "good.eval"]
    assert len([r for r in results if r.path == broken]) == 1


def test_control_characters_are_escaped(folder, tmp_path):
    rows = harness_results(model_name=ESCAPE)
    rows["config"]["model_args"]["model"] = ESCAPE
    record = rows["configs"][TASK]["metadata"]["bias_tasks"]
    record |= {"data": ESCAPE, "digest": ESCAPE, "package": ESCAPE, "notes": [ESCAPE]}
    record["task_args"] = {ESCAPE: ESCAPE, "weights": {ESCAPE: [ESCAPE]}}
    record["provenance"] = [{"source": ESCAPE, "revision": ESCAPE}]
    rows["configs"][ESCAPE] = rows["configs"].pop("hellaswag")
    rows["configs"][TASK]["generation_kwargs"] = {ESCAPE: ESCAPE}
    path = tmp_path / f"results_{ESCAPE}.json"
    write_harness_results(path, rows)

    def fail(log):
        log.eval.model, log.eval.task_id = ESCAPE, "another"
        log.status, log.results = "error", None
        log.error = {"message": ESCAPE, "traceback": "", "traceback_ansi": ""}

    edit_log(folder / "good.eval", folder / "failed.eval", fail)
    done = typed("results", "--all", path, folder)
    assert done.exit_code == 0, "the folder has a finished run"
    for text in (done.stdout, done.stderr):
        assert [c for c in text if not c.isprintable() and c != "\n"] == []
        assert "\\x1b[2J" in text
    assert len(done.stderr.splitlines()) == 2
    table = typed("results", path, folder, "--format", "csv")
    assert not set(table.stdout) & set("\x1b\x07\u202e\x85")


def test_a_spreadsheet_evaluates_no_text_as_a_formula():
    cases = {text: f"'{text}" for text in ("=1+1", "+4", "-4", "@SUM(A1)", " =1", "\t=1")}
    cases |= {"two\r\nlines": "two\nlines", "a\u202eb\x1b": "a\\u202eb\\x1b", "1-1": "1-1"}
    assert {text: escape_formula(text) for text in cases} == cases
    assert [escape_formula(value) for value in (-4, None, True, 0.5)] == [-4, None, True, 0.5]


def test_samples_that_cannot_be_read_name_their_log(folder):
    path = folder / "good.eval"
    rewrite(path, lambda name, text: "[" * 1_000 if name.startswith("samples/") else text)
    with pytest.raises(UnusableRunError, match=r"good.eval: its samples cannot be read"):
        read_answers(path)
