"""Label rates and consistency over rewordings for any task of the LM Evaluation Harness.

```yaml
process_results: !function bias_tasks.harness.any_task.judging
metric_list: !function bias_tasks.harness.any_task.label_metrics
```
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bias_tasks.binary_qa.any_task import (
    NEGATIVE_VARIANTS,
    compute_consistency_metrics,
    variant_outcome,
)
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.data.files import RawRecord
from bias_tasks.digests import digest
from bias_tasks.harness.metrics import MetricCache, OutcomeScore, score_outcome
from bias_tasks.instruction_boundary.any_task import (
    LabelExtra,
    LabelForm,
    LabelParser,
    TaskLabels,
    compute_label_metrics,
)
from bias_tasks.parsing.answer import FormName, parse_answer
from bias_tasks.statistics.estimate import Estimate

ProcessResults = Callable[[RawRecord, Sequence[str | None]], dict[str, OutcomeScore]]
LABEL_METRICS = ("acc", "sr", "gr", "rs", "unparsed")
CONSISTENCY_METRICS = ("prc", "nrc", "arc", "sc", "unparsed")


def label_results(
    tense: Sequence[str],
    sparse: Sequence[str],
    read: LabelForm | LabelParser | None = None,
    *,
    target: str = "answer",
    options: str = "options",
    cluster: str = "cluster",
    metrics: Sequence[str] = LABEL_METRICS,
) -> ProcessResults:
    """Return a `process_results` function with the metrics of `bias_tasks.label_rates`.

    Args:
        tense: As in `bias_tasks.label_rates`.
        sparse: As in `bias_tasks.label_rates`.
        read: As in `bias_tasks.label_rates`.
        target: Field of a document with its label, or with the correct options.
        options: Optional field with the texts of the options, which the prompt lists by letters.
        cluster: Optional field with what documents share.
        metrics: Names of the metrics; `metric_list` must name the same.
    """
    labels = TaskLabels(tuple(tense), tuple(sparse), read)

    def process_results(doc: RawRecord, results: Sequence[str | None]) -> dict[str, OutcomeScore]:
        item = str(doc.get("id") or digest(json.dumps(doc, default=str)))
        if results[0] is None:  # the request failed: there is no answer
            return score_outcome(_with_bounds(metrics), {}, None)
        answer = Answer(results[0]).without_reasoning()
        gold, texts = _read_field(doc, target, "target"), doc.get(options) or ()
        outcome = labels.score_answer(item, str(doc.get(cluster, item)), gold, texts, answer)
        score, unparsed = outcome.score or 0.0, float(outcome.answer is None)
        values = {"acc": score, outcome.extra.group: score, "unparsed": unparsed}
        return score_outcome(_with_bounds(metrics), values, outcome)

    return process_results


def consistency_results(
    read: FormName = "yes_no",
    *,
    group: str = "item",
    variant: str = "variant",
    original: str = "original",
    opposite: Sequence[str] = NEGATIVE_VARIANTS,
    cluster: str = "cluster",
    metrics: Sequence[str] = CONSISTENCY_METRICS,
) -> ProcessResults:
    """Return a `process_results` function with `bias_tasks.reformulation_consistency`.

    Args:
        read: A form of `parse_answer` that needs no further arguments.
        group: Field of a document with the item of which it is a variant.
        variant: Field with the variant.
        original: The variant with which others are compared.
        opposite: Variants whose correct answer is the opposite.
        cluster: Optional field with what items share.
        metrics: Names of the metrics; `metric_list` must name the same.
    """

    def process_results(doc: RawRecord, results: Sequence[str | None]) -> dict[str, OutcomeScore]:
        item = str(_read_field(doc, group, "group"))
        variant_name = str(_read_field(doc, variant, "variant"))
        cluster_name = str(doc.get(cluster, item))
        if results[0] is None:  # the request failed: there is no answer
            return score_outcome(_with_bounds(metrics), {}, None)
        label = parse_answer(results[0], form=read).label
        outcome = variant_outcome(
            item, cluster_name, variant_name, label, original=original, opposite=opposite
        )
        return score_outcome(_with_bounds(metrics), {"unparsed": float(label is None)}, outcome)

    return process_results


def metric_list(metrics: Sequence[str]) -> list[dict[str, object]]:
    """Return a `metric_list` of these metrics with their confidence bounds."""
    return [
        {
            "metric": name,
            "aggregation": partial(_CACHE, name),
            "higher_is_better": not name.startswith("unparsed"),
        }
        for name in _with_bounds(metrics)
    ]


def _with_bounds(metrics: Sequence[str]) -> list[str]:
    return [f"{name}{bound}" for name in metrics for bound in ("", "_ci_low", "_ci_high")]


def _read_field(doc: RawRecord, name: str, argument: str) -> Any:
    if doc.get(name) is None:
        raise ValueError(
            f"a document has no field {name!r}: name it by {argument}=. It has {list(doc)}"
        )
    return doc[name]


def _compute_metrics(outcomes: Sequence[AnyOutcome]) -> Mapping[str, Estimate]:
    if isinstance(outcomes[0].extra, LabelExtra):
        return compute_label_metrics(outcomes)
    return compute_consistency_metrics(outcomes)


_CACHE = MetricCache(_compute_metrics)
judging = label_results(("True", "False"), ("Unknown",))
"""For documents whose `answer` is True, False or Unknown."""
choice = label_results(("single",), ("multiple", "none"))
"""For documents with `options` whose `answer` names the correct ones: one, several or none."""
consistency = consistency_results()
"""For yes/no questions with the fields `item` and `variant`."""
label_metrics = metric_list(LABEL_METRICS)
consistency_metrics = metric_list(CONSISTENCY_METRICS)
