"""How much of the published variance over answer formats is more than chance?

Takes the outputs that FormatEval's authors published as items under several prompts, one per
format, and writes docs/reference/prompt_variance.md: the paper's variance next to the metrics of
probes.

    BIAS_TASKS_DATA=FOLDER python -m benchmarks.studies.prompt_variance

The folder is laid out as the data cache.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.studies.published_cells import FILES, Answer, Outputs, find_file, recorded
from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics import MetricOptions, compute_format_metrics
from bias_tasks.probing.metrics_spread import compute_spread, compute_variance_shares
from bias_tasks.statistics.estimate import Estimate

OUT = Path(__file__).parents[2] / "docs" / "reference" / "prompt_variance.md"
PROTOCOLS: tuple[PaperProtocol, ...] = ("published", "corrected")
HEADS = (
    *("outputs", "read as", "items", "BiasF", "of it chance", "spread", "by chance", "corrected"),
    *("items' share", "formats' share", "rest"),
)
_SHOWN = ("item", "probe", "interaction")
"""Parts of the variance; without repeats the third holds the noise."""
Metrics = Mapping[str, Estimate]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    args.out.write_text(page(Path(os.environ["BIAS_TASKS_DATA"])), encoding="utf-8")


def page(data: Path) -> str:
    """The whole page as Markdown."""
    lines = [
        f"| {' | '.join(HEADS)} |",
        "| --- | --- |" + " ---: |" * (len(HEADS) - 2),
    ]
    for outputs in FILES:
        if find_file(outputs, data) is None:
            continue
        answers = recorded(outputs, data)
        lines += [
            _line(outputs, protocol, sensitivity(answers, protocol)) for protocol in PROTOCOLS
        ]
    return PAGE.format(table="\n".join(lines))


def sensitivity(answers: Sequence[Answer], protocol: PaperProtocol) -> Metrics:
    """The metrics of one file's answers as a protocol reads and scores them."""
    outcomes = [answer.outcome(protocol) for answer in answers]
    formats = list(dict.fromkeys(outcome.format for outcome in outcomes))
    items = list(dict.fromkeys(outcome.item for outcome in outcomes))
    told = {(outcome.item, outcome.format): outcome.score for outcome in outcomes}
    scores = np.array([[told[item, name] for name in formats] for item in items])
    clusters = {outcome.item: outcome.cluster for outcome in outcomes}
    numbers = {name: place for place, name in enumerate(dict.fromkeys(clusters.values()))}
    cluster = np.array([numbers[clusters[item]] for item in items])
    # Nothing was asked twice: as if it were known that nothing is sampled.
    parts = compute_variance_shares(scores, cluster, np.zeros(len(items)), np.ones(len(items)))
    paper = compute_format_metrics(outcomes, MetricOptions(protocol=protocol))
    return (
        {name: paper[name] for name in ("bias_f", "bias_f_noise")}
        | compute_spread(scores, cluster)
        | {f"variance/{part}": metric for part, metric in parts.items()}
    )


def _line(outputs: Outputs, protocol: PaperProtocol, metrics: Metrics) -> str:
    spread = metrics["spread_corrected"]
    cells = (
        f"{outputs.task}, {outputs.model}, `{outputs.prompting}`",
        protocol,
        str(spread.n),
        *(_number(metrics[name].value, 2) for name in ("bias_f", "bias_f_noise")),
        *(_number(100 * metrics[name].value, 1) for name in ("spread", "spread_noise")),
        "{:.1f} ({:.1f} to {:.1f})".format(
            *(100 * number for number in (spread.value, spread.ci_low, spread.ci_high))
        ),
        *(_number(100 * metrics[f"variance/{part}"].value, 1) for part in _SHOWN),
    )
    return f"| {' | '.join(cells)} |"


def _number(value: float, places: int) -> str:
    return "-" if math.isnan(value) else f"{value:.{places}f}"


PAGE = """# Variance without a noise floor

Written by `python -m benchmarks.studies.prompt_variance`; do not edit.

FormatEval tells how much a model depends on the answer's format by the variance of its scores over
formats, BiasF. A variance over ways of asking is never 0: each way has its own luck with what is
sampled and with which items are asked, so that a model that does not care for formats at all has a
variance, too, the larger the fewer items there are. The paper prints the variance alone. Here the
outputs that its authors published are taken as items asked in several ways, and beside it stands
what probed tasks are told by. Answers are read and scored under both protocols, as on the page of
[published outputs](published.md); one without its format counts as wrong, unless
`published` scores it all the same.

- *BiasF*: the paper's variance of `est_true` over formats, percent squared; *of it chance*: what
  sampling errors add to it on average
- *spread*: highest less lowest score over the formats, points of 100; *by chance*: the spread on
  average, were all formats alike; *corrected*: less what chance adds, with its 95 % bounds
- *items' share*, *formats' share*, *rest*: of the variance of single scores, percent

"-": undefined, since fewer than two formats are ever followed.

{table}

Where BiasF is about what chance adds, it says nothing of formats. The spread may then do so all the
same, if it comes of answers that cannot be read, which `est_true` leaves out (GSM8K, ChatGPT,
`zs`). Of the largest BiasF (GSM8K, ChatGPT, `zs_cot`) chance is a small part as `published` reads
the answers, and all as `corrected` does: it was the reading that varied. What is left there is how
often the format is followed.

What cannot be said of these outputs: nothing was asked twice in the same way. The *rest*, by which
single items fare otherwise in one format than in another beyond the formats' means, may be the
formats' doing, item by item, or nothing but sampling. Only repeats tell these apart: with them the
rest falls into `variance/interaction` and `variance/noise`, and `max_answers_changed` can be told
at all, since an answer that changes from one format to another is news only if it doesn't change
anyway. The means' differences need no repeats: how much items differ in them shows all the chance
that there is in them.
"""


if __name__ == "__main__":
    main()
