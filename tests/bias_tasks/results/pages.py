"""Small runs of both hosts, and pages made of them."""

from html.parser import HTMLParser

from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log, write_eval_log
from lm_eval.loggers import EvaluationTracker

from bias_tasks.results.report.collect import collect
from bias_tasks.results.report.page import page
from tests.bias_tasks.contract.runs import inspect_task
from tests.bias_tasks.harness_runs import run

VOID = {"meta", "link", "br", "img", "hr", "input", "wbr"}


def evaluated(folder, task, model, **given):
    """The path of the log of a finished run of `<family>/<task>`."""
    [log] = inspect_eval(
        inspect_task(task, **given),
        model=model,
        log_dir=str(folder),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success"
    return log.location


def renamed(path, model, to):
    """A copy of a log with another model's name."""
    log = read_eval_log(path)
    log.eval.model = model
    write_eval_log(log, str(to))
    return to


def harness(folder, task, answer, **metadata):
    """A folder with lm-eval's results file and samples of a run."""
    results = run([task], answer, options={"log_samples": True}, **metadata)
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.model_name_sanitized = "model"
    tracker.save_results_aggregated(results, samples=results["samples"])
    tracker.save_results_samples(task, results["samples"][task])
    return folder


class Seen(HTMLParser):
    """The elements of a page with their attributes, and whether each is closed in turn."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def tags(self):
        return {tag for tag, _ in self.elements}

    @property
    def said(self):
        """All text, with its blanks made one."""
        return " ".join(" ".join(self.texts).split())


def made(*paths):
    """The page of the runs in the paths, and what is seen of it."""
    text = page(collect(list(paths)))
    seen = Seen(text)
    assert seen.open == []
    return text, seen
