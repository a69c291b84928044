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

from benchmarks.studies.published_cells import FILES, Answer, find_file, recorded
from bias_tasks.output_format.metrics import MetricOptions, compute_format_metrics
from bias_tasks.probing.metrics_spread import compute_spread, compute_variance_shares
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.estimate import Estimate

OUT = Path(__file__).parents[2] / "docs" / "reference" / "prompt_variance.md"
PROTOCOLS: tuple[PaperProtocol, ...] = ("published", "corrected")
HEADS = (
    *("outputs", "items", "BiasF", "noise of BiasF", "spread", "noise of spread"),
    *("corrected spread", "items, %", "formats, %", "rest, %"),
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
        "| --- |" + " ---: |" * (len(HEADS) - 1),
    ]
    for outputs in FILES:
        if find_file(outputs, data) is None:
            continue
        answers = recorded(outputs, data)
        published, corrected = (
            _cells(sensitivity(answers, protocol)) for protocol in ("published", "corrected")
        )
        cells = [
            first if first == second else f"{first} → {second}"
            for first, second in zip(published, corrected, strict=True)
        ]
        title = f"{outputs.task}, {outputs.model}, `{outputs.prompting}`"
        lines.append(f"| {' | '.join([title, *cells])} |")
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


def _cells(metrics: Metrics) -> list[str]:
    spread = metrics["spread_corrected"]
    return [
        str(spread.n),
        *(_number(metrics[name].value, 2) for name in ("bias_f", "bias_f_noise")),
        *(_number(100 * metrics[name].value, 1) for name in ("spread", "spread_noise")),
        "{:.1f} ({:.1f} to {:.1f})".format(
            *(100 * number for number in (spread.value, spread.ci_low, spread.ci_high))
        ),
        *(_number(100 * metrics[f"variance/{part}"].value, 1) for part in _SHOWN),
    ]


def _number(value: float, places: int) -> str:
    return "-" if math.isnan(value) else f"{value:.{places}f}"


PAGE = """# Variance over formats and sampling error

Written by `python -m benchmarks.studies.prompt_variance`; do not edit.

FormatEval measures how much a model depends on the answer format by BiasF, the variance of its
scores over formats. A variance over prompt variants is never 0: it includes sampling error, which
is larger with few items. The paper prints the variance alone. This page compares it with the
metrics of probed tasks, on the outputs that the authors published. Each cell is `published` →
`corrected`, or one number if both protocols agree; see [published outputs](published.md).

- *BiasF*: the paper's variance of `est_true` over formats, percent squared; *noise of BiasF*: the
  mean contribution of sampling error
- *spread*: highest minus lowest score over the formats, in points; *noise of spread*: the mean
  spread by sampling error alone; *corrected spread*: without that part, with its 95 % interval
- *items, formats, rest*: shares of the variance of single scores
- "-": undefined, because fewer than two formats have enough answers that follow

{table}

If BiasF is about as large as its noise, it does not show an effect of the format. The spread
can still show an effect: unparsed answers count in it, and `est_true` excludes them (GSM8K,
ChatGPT, `zs`). For the largest BiasF (GSM8K, ChatGPT, `zs_cot`), noise is a small part under
`published` and all of it under `corrected`: the parser caused the variance. The share of answers
that follow the format causes the remaining spread.

These outputs have no repeats of a prompt. The *rest*, the differences of single items between
formats, can therefore be an effect of the format or sampling noise. With repeats, it splits into
`variance/interaction` and `variance/noise`, and `max_answers_changed` is defined. The differences
of the means need no repeats: their variance over items includes all of the noise.
"""


if __name__ == "__main__":
    main()
