"""Broken and hostile files: each is one line, and hides no other."""

import json
import re
import shutil
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks.results.find import read_answers, read_runs
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.text import for_spreadsheet
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import evaluated, harness_results

TASK = "ib_vanilla_choice"
ESCAPE = "\x1b[2J\x1b]0;owned\x07\u202e\n\x85"
DEEP = "[" * 100_000


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    return evaluated(folder, "binary_qa/binaryqa_qa", "simulated/coin", data="synthetic", n=4)


@pytest.fixture
def folder(good, tmp_path):
    """A folder with a sound log in it, to put broken files beside."""
    shutil.copy(good, tmp_path / "good.eval")
    return tmp_path


def dumped(**changes):
    return json.dumps(harness_results(**changes))


def with_record(**changes):
    rows = harness_results()
    rows["configs"][TASK]["metadata"]["bias_tasks"] |= changes
    return json.dumps(rows)


BROKEN_OUTPUTS = {
    "deep": '{"results": {' + DEEP,
    "no_n": with_record(figures={"items": {"value": 1, "ci_low": 0, "ci_high": 1, "n": 1e999}}),
    "no_figures": with_record(figures={"items": 3}),
    "huge": '{"results": {}, "configs": {"x": ' + "9" * 5000 + "}}",
    "config": dumped(config=None),
    "configs": dumped(configs=3),
    "date": dumped(date=1e300),
    "counts": dumped(**{"n-samples": {TASK: []}}),
    "record": dumped(configs={TASK: {"metadata": {"bias_tasks": {"parameters": 3}}}}),
    "metadata": dumped(configs={TASK: {"metadata": [1]}}),
    "notes": with_record(notes=[3]),
    "provenance": with_record(provenance=[3]),
    "changed": with_record(changed="x"),
    "not_utf8": b'{"results": {\xff\xfe',
    "cut": b'{"version": 2, "status": "success", "eval": {',
}
BROKEN_HEADERS = {
    "deep": lambda text: DEEP,
    "empty": lambda text: "",
    "cut": lambda text: text[: len(text) // 2],
    "protocol": lambda text: re.sub(r'"protocol":\s*"corrected"', '"protocol": 3', text),
    "notes": lambda text: re.sub(r'"notes":\s*\[', '"notes": [4, ', text),
    "infinite": lambda text: re.sub(r'"value":\s*[\d.]+', '"value": Infinity', text),
    "negative": lambda text: re.sub(r'"total_samples":\s*\d+', '"total_samples": -5', text),
}


def rewritten(path, change):
    """The log at `path` with the text of each part changed."""
    with zipfile.ZipFile(path) as log:
        parts = {name: log.read(name) for name in log.namelist()}
    with zipfile.ZipFile(path, "w") as log:
        for name, content in parts.items():
            log.writestr(name, change(name, content.decode()))
    return path


def test_each_broken_file_is_one_line_and_hides_nothing(folder):
    for name, content in BROKEN_OUTPUTS.items():
        path = folder / f"output_{name}.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, change in BROKEN_HEADERS.items():
        rewritten(
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
    told = dict.fromkeys(files, "cannot be read as")
    told["gone.eval"] = "cannot be read (No such file or directory)"
    assert sorted(line.partition(": ")[0] for line in lines) == sorted(told)
    assert not [line for line in lines if told[line.partition(": ")[0]] not in line]
    assert "bias_tasks/binaryqa_qa" in done.stdout
    assert TASK not in done.stdout


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_cut_or_flipped_log_hides_another(folder, data):
    content = bytearray((folder / "good.eval").read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    (folder / "a_broken.eval").write_bytes(bytes(content))
    found = read_runs([folder])
    assert [each for each in found if isinstance(each, Run) and each.path.name == "good.eval"]
    others = [each for each in found if getattr(each, "path", None) == folder / "a_broken.eval"]
    assert len(others) == 1


def test_escapes_are_shown_and_not_sent(folder, tmp_path):
    rows = harness_results(model_name=ESCAPE)
    rows["config"]["model_args"]["model"] = ESCAPE
    record = rows["configs"][TASK]["metadata"]["bias_tasks"]
    record["figures"][ESCAPE] = record["figures"]["choice/acc"]
    record |= {"data": ESCAPE, "digest": ESCAPE, "package": ESCAPE, "notes": [ESCAPE]}
    record["changed"] = {ESCAPE: ESCAPE, "weights": {ESCAPE: [ESCAPE]}}
    record["provenance"] = [{"source": ESCAPE, "revision": ESCAPE}]
    rows["configs"][ESCAPE] = rows["configs"].pop("hellaswag")
    rows["configs"][TASK]["generation_kwargs"] = {ESCAPE: ESCAPE}
    path = tmp_path / f"results_{ESCAPE}.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    log = read_eval_log(str(folder / "good.eval"))
    log.eval.model, log.eval.task_id = ESCAPE, "another"
    log.status, log.results = "error", None
    log.error = {"message": ESCAPE, "traceback": "", "traceback_ansi": ""}
    write_eval_log(log, str(folder / "failed.eval"))
    done = typed("results", "--all", path, folder)
    assert done.exit_code == 1
    for text in (done.stdout, done.stderr):
        assert [c for c in text if not c.isprintable() and c != "\n"] == []
        assert "\\x1b[2J" in text
    assert len(done.stderr.splitlines()) == 2
    table = typed("results", path, folder, "--format", "csv")
    assert not set(table.stdout) & set("\x1b\x07\u202e\x85")


def test_a_spreadsheet_takes_no_text_for_a_formula():
    cases = {text: f"'{text}" for text in ("=1+1", "+4", "-4", "@SUM(A1)", " =1", "\t=1")}
    cases |= {"two\r\nlines": "two\nlines", "a\u202eb\x1b": "a\\u202eb\\x1b", "1-1": "1-1"}
    assert {text: for_spreadsheet(text) for text in cases} == cases
    assert [for_spreadsheet(each) for each in (-4, None, True, 0.5)] == [-4, None, True, 0.5]


def test_samples_that_cannot_be_read_name_their_log(folder):
    path = folder / "good.eval"
    rewritten(path, lambda name, text: "[" * 1_000 if name.startswith("samples/") else text)
    with pytest.raises(UnusableRunError, match=r"good.eval: cannot be read as samples"):
        read_answers(path)
