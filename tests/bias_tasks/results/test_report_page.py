"""The page of real runs of both hosts: what it says, that it loads nothing, and that no answer and
no name can do anything to it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import pytest
from inspect_ai.model import get_model

from bias_tasks.results.find import read_runs
from bias_tasks.results.report.page import page
from bias_tasks.results.run import apart
from bias_tasks.results.tables import interval, number
from bias_tasks.tasks.probing import probe
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import facts
from tests.bias_tasks.hostile import hostile_answers
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import changed, evaluated, harness

FOUR = {
    "instruction_boundary/conformity": {"data": "synthetic", "n": 12},
    "binary_qa/binaryqa_arc": {"n": 12, "domains": "reading,ethics"},
    "output_format/format_mcq": {"data": "synthetic", "n": 6},
    "complex_eval/complexeval_math": {"data": "synthetic", "n": 6},
}
ALLOWED = {f"https://arxiv.org/abs/{each}" for each in ("2509.20278", "2408.08656", "2509.03419")}
VOID = {"meta", "link", "br", "img", "hr", "input", "wbr"}
NAME = "</title></text></svg><script>alert(2)</script>$x^2$\u202egnp"
SCRIPT = (
    "<script>alert(1)</script></style></pre><img src=x onerror=alert(1)>{{ 7*7 }}"
    "\u202eevil\u2066 \ud800 Final Answer: "
)
MEGABYTE = 1_000_000
SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"


class Seen(HTMLParser):
    """The elements of a page with their attributes, and whether each is closed in turn."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def said(self):
        """All text, with its blanks made one; names are one word, wherever they may wrap."""
        return " ".join("".join(self.texts).split())


def made(*paths):
    """The page of the runs in the paths, and what is seen of it."""
    text = page(apart(read_runs(list(map(Path, paths))))[0])
    return text, Seen(text)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A log of each family by a simulated respondent, and lm-eval's results of one task."""
    folder = tmp_path_factory.mktemp("logs")
    for task, given in FOUR.items():
        evaluated(folder, task, get_model("simulated/conformist", memoize=False), **given)
    asked = {"data": "synthetic", "n": 8}
    harness(folder / "lm_eval", "ib_conformity_choice", wrong_where_suggested, **asked)
    return folder


def wrong_where_suggested(doc):
    told = facts(doc)
    if told["variant"] == "conformity":
        return "Bananas are yellow." if "," in doc["gold"] else "Final Answer: 7"
    return f"Final Answer: {doc['gold']}"


@pytest.fixture(scope="module")
def seen(logs):
    return made(logs)


def test_every_headline_stands_on_the_page_with_its_interval_and_a_sentence(logs, seen):
    text, shown = seen
    runs = read_runs([logs])
    assert len(runs) == 5
    for each in runs:
        figure = each.metrics[each.headline]
        told = f"{number(figure.value)} ({interval(figure)})".replace("-", "−")
        assert told in shown.said
        assert each.headline in shown.said
    follows = (
        r"FOUND follows the suggested answer: \d+ of 100 answers move to a wrong suggestion \("
    )
    assert re.search(follows, shown.said)
    assert "NOT SHOWN no effect found; one of " in shown.said
    assert "format_<wbr>mcq" in text  # names may wrap


def test_each_section_is_there_and_nothing_is_loaded_or_runs(seen):
    text, shown = seen
    ids = [attributes["id"] for _, attributes in shown.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for tag, attributes in shown.elements if tag == "a"]
    targets = {link[1:] for link in links if link.startswith("#")}
    assert {"found", "moved", "unread", "cautions", "runs", "methods"} <= targets <= set(ids)
    tags = {tag for tag, _ in shown.elements}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "embed", "base"})
    for tag, attributes in shown.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        link = attributes.get("href", "#")
        assert link.startswith("#") or (tag == "a" and link in ALLOWED)
    assert not re.search(r"@import|url\((?!#)", text)
    assert "default-src 'none'" in text


def test_what_moved_shows_both_answers_and_what_the_prompts_differ_in(seen):
    text, shown = seen
    assert "right → wrong" in shown.said
    assert "No correct answer" in shown.said  # what the conformist says to the suggestion
    assert "Final Answer: 7" in shown.said  # lm-eval's texts too
    assert re.search(r"<ins>[^<]*consensus", text)  # the prompt's words that moved it
    assert "characters left out" in shown.said


def test_what_could_not_be_read_is_counted_and_what_must_be_known_is_said_once(logs, seen):
    said = seen[1].said
    assert "Bananas are yellow." in said
    assert re.search(r"3 of 16 answers 3: no value where an answer is expected", said)
    assert said.count("the model is simulated: its answers say nothing of any real model") == 1
    assert "figures over fewer than the paper's five don't compare" in said
    assert "answers could not be read" in said
    assert made(logs)[0] == seen[0]  # the same runs give the same bytes


def test_the_verdict_is_the_one_that_compare_has_of_the_same_runs(logs, tmp_path):
    [first] = [each.path for each in read_runs([logs]) if each.record["task"] == "binaryqa_arc"]
    model = get_model("simulated/first_option", memoize=False)
    task = "binary_qa/binaryqa_arc"
    paths = first, evaluated(tmp_path, task, model, **FOUR[task])
    paths += (
        changed(first, tmp_path / "other.eval", lambda log: setattr(log.eval, "model", "o/same")),
    )
    done = typed("compare", *paths, "--format", "json")
    said = made(*paths)[1].said
    comparisons = json.loads(done.stdout)["comparisons"]
    assert len(comparisons) == 2
    for pair in comparisons:
        [figure] = pair["figures"]
        models = f"{pair['second']['model']} against {pair['first']['model']}"
        value = number(figure["difference"]).replace("-", "−")
        p = "<0.001" if figure["p"] < 0.001 else f"{figure['p']:.3f}"
        row = rf"{re.escape(models)}.{{0,200}}{figure['verdict']} {value} .*? {p} "
        assert re.search(row, said)


def test_a_page_is_written_whole_or_not_at_all(logs, tmp_path):
    (tmp_path / "short.eval").write_bytes(next(logs.glob("*.eval")).read_bytes()[:2000])
    out = tmp_path / "r.html"
    arguments = "report", logs, tmp_path / "short.eval", "--out", out
    done = typed(*arguments)
    assert (done.exit_code, "short.eval" in done.stderr) == (1, True)
    whole = out.read_text(encoding="utf-8")
    assert "short.eval" in whole
    full = OSError(28, "No space left on device")
    with patch("bias_tasks.data.files.os.replace", side_effect=full):
        done = typed(*arguments)
    assert (done.exit_code, "No space left on device" in done.stderr) == (1, True)
    assert out.read_text(encoding="utf-8") == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "short.eval"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    said = iter(["x" * 5 * MEGABYTE, "<!--", "]]>", *(text for _, text in hostile_answers(9))])

    def reply(prompt):
        """Of what is unread one of each kind; else the first option until another is suggested."""
        return next(said, None) or SCRIPT + ("7" if "consensus" in prompt else "1")

    folder = tmp_path_factory.mktemp("hostile")
    given = {"data": "synthetic", "form": "choice", "n": 30}
    return made(evaluated(folder, "instruction_boundary/conformity", mock(reply, NAME), **given))


def test_no_answer_and_no_name_becomes_an_element(hostile):
    text, shown = hostile
    assert {tag for tag, _ in shown.elements}.isdisjoint({"script", "img"})
    assert "<script" not in text
    assert "onerror" not in {name for _, attributes in shown.elements for name in attributes}
    assert "<script>alert(2)</script>" in shown.said  # shown, as text
    assert "{{ 7*7 }}" in shown.said
    assert len(text.encode("utf-8")) < MEGABYTE // 4
    assert not set(text) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\x00")
    assert "\\u202e" in shown.said


def test_a_probed_run_has_a_row_a_probe_the_most_that_changes_first(tmp_path):
    model = get_model("simulated/examples/sums.py@Calculator", memoize=False, first=0.9)
    asked = probe(task=SUMS, n=30, probes="typo,order")
    said = made(evaluated(tmp_path, asked, model))[1].said
    assert "80 of 100 answers change when it is asked otherwise (order)" in said
    told = said[said.index("By probe How many") :]
    assert re.search(r"order changes 0\.800 \(.*?\) 0\.133 \(", told)
    assert told.index("order changes") < told.index("typo – 0.000 (")
    assert "Asked again, 100% of the answers stay." in told
    assert "read as Forty" in said, "answers are told by their text, not by their place"
