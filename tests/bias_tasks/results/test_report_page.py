"""The report of runs of both frameworks: its content, that it loads nothing, and that no answer and
no name can inject anything."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import pytest
from inspect_ai.model import get_model

from bias_tasks.probing_tasks import probe
from bias_tasks.results.answer_distribution import compute_unparsed_shares
from bias_tasks.results.answers import complete_run, load_all_metrics
from bias_tasks.results.find import read_runs
from bias_tasks.results.report.page import load_for_page, render_page
from bias_tasks.results.run import split_problems
from bias_tasks.results.tables import format_interval, format_number
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import facts as scoring_data_in
from tests.bias_tasks.hostile import hostile_answers
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import (
    edit_log,
    replace_record,
    run_inspect,
    run_lm_eval,
    simulate_run,
)

TASKS = {
    "instruction_boundary/conformity": {"data": "synthetic", "n": 12},
    "binary_qa/binaryqa_arc": {"n": 12, "domains": "reading,ethics"},
    "output_format/format_mcq": {"data": "synthetic", "n": 12},
    "complex_eval/complexeval_math": {"data": "synthetic", "n": 6},
}
ALLOWED = {f"https://arxiv.org/abs/{paper}" for paper in ("2509.20278", "2408.08656", "2509.03419")}
VOID = {"meta", "link", "br", "img", "hr", "input", "wbr"}
NAME = "</title></text></svg><script>alert(2)</script>$x^2$\u202egnp"
SCRIPT = (
    "<script>alert(1)</script></style></pre><img src=x onerror=alert(1)>{{ 7*7 }}"
    "\u202eevil\u2066 \ud800 Final Answer: "
)
MEGABYTE = 1_000_000
SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"


class ParsedPage(HTMLParser):
    """The elements of a page with their attributes; checks that all are closed in order."""

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
    def text(self):
        """All text with single spaces; a name is one word, wherever it may wrap."""
        return " ".join("".join(self.texts).split())


def render(*paths):
    """Return the report of the runs in the paths as HTML, and parsed."""
    runs, _ = split_problems(read_runs(list(map(Path, paths))))
    html = render_page(list(map(load_for_page, runs)))
    return html, ParsedPage(html)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Return a folder with a log of each family by a simulated model, and results of lm-eval."""
    folder = tmp_path_factory.mktemp("logs")
    for task, parameters in TASKS.items():
        run_inspect(folder, task, get_model("simulated/conformist", memoize=False), **parameters)
    parameters = {"data": "synthetic", "n": 8}
    run_lm_eval(folder / "lm_eval", "ib_conformity_choice", follow_suggestion, **parameters)
    return folder


def follow_suggestion(doc):
    if scoring_data_in(doc)["variant"] == "conformity":
        return "Bananas are yellow." if "," in doc["gold"] else "Final Answer: 7"
    return f"Final Answer: {doc['gold']}"


@pytest.fixture(scope="module")
def page(logs):
    return render(logs)


def test_every_headline_is_shown_with_its_interval_and_a_sentence(logs, page):
    html, parsed = page
    runs = list(map(load_all_metrics, read_runs([logs])))
    assert len(runs) == 5
    for run in runs:
        estimate = run.metrics[run.headline]
        value = f"{format_number(estimate.value)} ({format_interval(estimate)})".replace("-", "−")
        assert value in parsed.text
        assert run.headline in parsed.text
        right, total = run.baseline_correct
        assert not total or f"baseline: {right} of {total} right" in parsed.text
    follows = r"[Ff]ollows the suggested answer: (\d+ of|all) \d+ other answers switch to a wrong"
    assert len(re.findall(follows, parsed.text)) == 2, "in the summary and in the findings"
    assert "o effect found; an effect of " in parsed.text
    assert "format_<wbr>mcq" in html  # names may wrap


def test_all_sections_exist_and_the_page_loads_and_runs_nothing(page):
    html, parsed = page
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for tag, attributes in parsed.elements if tag == "a"]
    targets = {link[1:] for link in links if link.startswith("#")}
    sections = ["summary", "findings", "models", "breakdown", "details"]
    assert [name for name in ids if name in sections] == sections
    assert {*sections} == targets
    tags = {tag for tag, _ in parsed.elements}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "embed", "base"})
    for tag, attributes in parsed.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        link = attributes.get("href", "#")
        assert link.startswith("#") or (tag == "a" and link in ALLOWED)
    assert not re.search(r"@import|url\((?!#)", html)
    assert "default-src 'none'" in html


def test_changed_answers_show_both_answers_and_the_difference_of_the_prompts(page):
    html, parsed = page
    assert "correct → wrong" in parsed.text
    assert "No correct answer" in parsed.text  # the conformist's answer to the suggestion
    assert "Final Answer: 7" in parsed.text  # outputs in lm-eval, too
    assert re.search(r"<ins>[^<]*consensus", html)  # words of the suggestion
    assert "characters omitted" in parsed.text


def test_unparsed_answers_are_counted_and_each_caveat_is_shown_once(logs, page):
    html, parsed = page
    text = parsed.text
    assert "Bananas are yellow." in text
    assert re.search(r"3 of 16 answers 3: no value where an answer is expected", text)
    assert "An example under conformity: " in text, "the setting, not the item"
    caveat = "The model is simulated: its answers do not describe any real model"
    assert text.count(caveat) == 1
    assert "fewer than the paper's five domains are not comparable with the paper's" in text
    assert "answers are unparsed" in text
    assert render(logs)[0] == html, "the same runs give the same bytes"


@pytest.mark.parametrize("task", ["output_format/format_wrapping", "judge_bias/judge_pairwise"])
def test_the_number_of_unparsed_answers_is_the_same_in_all_places(tmp_path, task):
    replies = iter(["", "bare", "Hm."] * 100)
    path = run_inspect(tmp_path, task, mock(lambda _: next(replies)), data="synthetic", n=6)
    [run] = map(load_all_metrics, read_runs([Path(path)]))
    text = render(path)[1].text
    # In the section on unparsed answers, and in the caveat.
    first, *_, second = re.findall(r"([\d,]+) of ([\d,]+) answers(?: are|:)? ", text)
    unparsed, total = map(int, first)
    assert first == second
    assert unparsed > total / 2
    shares = compute_unparsed_shares(run.distributions)
    worst = max(shares, key=shares.get)
    assert f"items, unparsed: {shares[worst]:.0%} {worst}" in text
    assert ("in another form than requested" in text) == run.family.measures_form
    if "unparsed" in run.metrics:
        assert run.metrics["unparsed"].value * total == pytest.approx(unparsed)


def test_the_verdict_is_that_of_compare_for_the_same_runs(logs, tmp_path):
    [first] = [run.path for run in read_runs([logs]) if run.record.task == "binaryqa_arc"]
    model = get_model("simulated/first_option", memoize=False)
    task = "binary_qa/binaryqa_arc"
    second = run_inspect(tmp_path, task, model, **TASKS[task])
    copy = tmp_path / "other.eval"
    edit_log(first, copy, lambda log: setattr(log.eval, "model", "o/same"))
    done = typed("compare", first, second, copy, "--format", "json")
    text = render(first, second, copy)[1].text
    metrics = json.loads(done.stdout)
    assert len(metrics) == 2
    for metric in metrics:
        value = format_number(metric["difference"]).replace("-", "−")
        p = "<0.001" if metric["p_adjusted"] < 0.001 else f"{metric['p_adjusted']:.3f}"
        row = (
            rf"{metric['second_model']} .{{0,200}}{metric['verdict']} {value} [^p]*, p {p} against "
        )
        assert re.search(row + re.escape(metric["first_model"]), text)


def test_models_of_a_task_are_ranked_as_by_the_command():
    text = render_simulated({"n": 12, "form": "choice"}, {"n": 12, "form": "choice"})
    section = text[text.index("Model against model In every row, further right is worse.") :]
    # Both give the same answers: nobody is better, and both are in group 1.
    assert len(re.findall(r" 1 P\(best\) 0\.(?:49|50)\d ", section)) == 2


def render_simulated(*options):
    """Return the page of simulated runs of `conformity` with these parameters."""
    answers = [
        simulate_run("instruction_boundary", "conformity", f"model{number}", **parameters)
        for number, parameters in enumerate(options)
    ]
    loaded = [replace(run, run=complete_run(run)) for run in answers]
    return ParsedPage(render_page(loaded)).text


def test_runs_of_a_task_share_a_column_unless_their_headline_differs():
    text = render_simulated({"n": 12, "form": "choice"}, {"n": 9, "form": "choice"})
    chart = text[text.index("Task and model") : text.index("Each run by setting")]
    assert chart.count("conformity: moved_to_suggestion") == 1
    assert re.search(r" model0 form=.*n=12 .* model1 form=.*n=9 ", chart)
    # The summary names the task with what tells its runs apart.
    assert re.search(r"cannot be said: conformity with form=\w+, .*n=12 \(too few", text)
    text = render_simulated({"n": 12, "paired": True}, {"n": 12, "paired": False})
    assert "Task and model" not in text


def test_a_long_caveat_is_shown_whole():
    answers = simulate_run("instruction_boundary", "conformity", "m", 3)
    note = f"{'Word ' * 200}and the advice."
    answers = replace_record(answers, notes=(note,))
    loaded = replace(answers, run=complete_run(answers))
    assert note in ParsedPage(render_page([loaded])).text


def test_a_page_is_written_completely_or_not_at_all(logs, tmp_path):
    (tmp_path / "short.eval").write_bytes(next(logs.glob("*.eval")).read_bytes()[:2000])
    out = tmp_path / "r.html"
    arguments = "report", logs, tmp_path / "short.eval", "--out", out
    done = typed(*arguments)
    assert (done.exit_code, "short.eval" in done.stderr) == (1, True)
    html = out.read_text(encoding="utf-8")
    assert "short.eval" in html
    full = OSError(28, "No space left on device")
    with patch("bias_tasks.data.files.os.replace", side_effect=full):
        done = typed(*arguments)
    assert (done.exit_code, "No space left on device" in done.stderr) == (1, True)
    assert out.read_text(encoding="utf-8") == html
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "short.eval"]


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory):
    replies = iter(["x" * 5 * MEGABYTE, "<!--", "]]>", *(text for _, text in hostile_answers(9))])

    def reply(prompt):
        """Return hostile texts with the first option, unless another is suggested."""
        text = next(replies, "")
        is_unparsed = text in ("<!--", "]]>")
        return text if is_unparsed else text + SCRIPT + ("7" if "consensus" in prompt else "1")

    folder = tmp_path_factory.mktemp("hostile")
    parameters = {"data": "synthetic", "form": "choice", "n": 30}
    model = mock(reply, NAME)
    return render(run_inspect(folder, "instruction_boundary/conformity", model, **parameters))


def test_no_answer_and_no_name_becomes_an_element(hostile_page):
    html, parsed = hostile_page
    assert {tag for tag, _ in parsed.elements}.isdisjoint({"script", "img"})
    assert "<script" not in html
    assert "onerror" not in {name for _, attributes in parsed.elements for name in attributes}
    assert "<script>alert(2)</script>" in parsed.text
    assert "{{ 7*7 }}" in parsed.text
    assert len(html.encode("utf-8")) < MEGABYTE // 4
    assert not set(html) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\x00")
    assert "\\u202e" in parsed.text


def test_a_run_of_probe_has_one_row_per_probe_the_largest_change_first(tmp_path):
    model = get_model("simulated/examples/sums.py@Calculator", memoize=False, first=0.9)
    task = probe(task=SUMS, n=30, probes="typo,order")
    html, page = render(run_inspect(tmp_path, task, model))
    text = page.text
    assert "80 of 100 answers change with the prompt (order)" in text
    assert "An example under order: " in text
    assert "largest <code>answers_changed</code> of" in html
    assert ". Settings: " in text
    section = text[text.index("The share of answers that each probe changes") :]
    assert re.search(r"order changes 0\.800 \(.*?\) 0\.133 \(", section)
    assert section.index("order changes") < section.index("typo – 0.000 (")
    assert "100 % of the answers stay the same if the prompt is repeated." in section
    assert "parsed answer: Forty" in text, "answers are shown by their text, not by their index"
