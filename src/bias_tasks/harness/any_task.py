"""Label rates and consistency over rewordings for anybody's YAML.

```yaml
process_results: !function bias_tasks.harness.any_task.judging
metric_list: !function bias_tasks.harness.any_task.label_metrics
```
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bias_tasks.binary_qa.foreign import OPPOSITE, consistency_card, variant_outcome
from bias_tasks.contract.family import Answer, Outcome
from bias_tasks.harness.figures import Figures, OutcomeScore
from bias_tasks.instruction_boundary.foreign import Labels, Read, ReadLabel, label_card
from bias_tasks.names import digest
from bias_tasks.parsing.answer import FormName, parse_answer
from bias_tasks.statistics.estimate import Estimate

ProcessResults = Callable[[Mapping[str, Any], Sequence[str]], dict[str, OutcomeScore]]
LABEL_FIGURES = ("acc", "sr", "gr", "rs", "unread")
CONSISTENCY_FIGURES = ("prc", "nrc", "arc", "sc", "unread")


def label_results(
    tense: Sequence[str],
    sparse: Sequence[str],
    read: Read | ReadLabel | None = None,
    *,
    target: str = "answer",
    options: str = "options",
    cluster: str = "cluster",
    figures: Sequence[str] = LABEL_FIGURES,
) -> ProcessResults:
    """A `process_results` whose figures are those of `bias_tasks.label_rates`.

    Args:
        tense, sparse, read: as `bias_tasks.label_rates` takes them.
        target: field of a document with its label, or with the right options.
        options: field with the options' texts, which the prompt lists by letters; may be missing.
        cluster: field with what documents share; may be missing.
        figures: names of figures; `metric_list` must name the same ones.
    """
    labels = Labels(tuple(tense), tuple(sparse), read)

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, OutcomeScore]:
        item = str(doc.get("id") or digest(json.dumps(doc, default=str)))
        group, right = str(doc.get(cluster, item)), _field(doc, target, "target")
        answer = Answer(results[0] or "").without_reasoning()
        found = labels.outcome(item, group, right, doc.get(options) or (), answer)
        return dict.fromkeys(_metrics(figures), OutcomeScore(found.score or 0.0, found))

    return process_results


def consistency_results(
    read: FormName = "yes_no",
    *,
    group: str = "item",
    variant: str = "variant",
    original: str = "original",
    opposite: Sequence[str] = OPPOSITE,
    cluster: str = "cluster",
    figures: Sequence[str] = CONSISTENCY_FIGURES,
) -> ProcessResults:
    """A `process_results` whose figures are those of `bias_tasks.reformulation_consistency`, with
    `read` a form of `parse_answer` that needs no more than its name, and `group`, `variant` and
    `cluster` fields of a document."""

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, OutcomeScore]:
        item, name = str(_field(doc, group, "group")), str(_field(doc, variant, "variant"))
        said = parse_answer(results[0] or "", form=read).label
        found = variant_outcome(
            item, str(doc.get(cluster, item)), name, said, original=original, opposite=opposite
        )
        return dict.fromkeys(_metrics(figures), OutcomeScore(said is not None, found))

    return process_results


def metric_list(figures: Sequence[str]) -> list[dict[str, Any]]:
    """A `metric_list` of these figures with their intervals."""
    return [
        {
            "metric": name,
            "aggregation": partial(_worked_out, name),
            "higher_is_better": not name.startswith("unread"),
        }
        for name in _metrics(figures)
    ]


def _metrics(figures: Sequence[str]) -> list[str]:
    return [f"{name}{bound}" for name in figures for bound in ("", "_ci_low", "_ci_high")]


def _field(doc: Mapping[str, Any], name: str, argument: str) -> Any:
    if doc.get(name) is None:
        lacks = f"a document has no field {name!r}"
        raise ValueError(f"{lacks}: name it by {argument}=. It has {list(doc)}")
    return doc[name]


def _card(outcomes: Sequence[Outcome]) -> Mapping[str, Estimate]:
    return label_card(outcomes) if "group" in outcomes[0].own else consistency_card(outcomes)


_worked_out = Figures(_card)
judging = label_results(("True", "False"), ("Unknown",))
"""Of documents whose `answer` is True, False or Unknown."""
choice = label_results(("single",), ("multiple", "none"))
"""Of documents with `options` whose `answer` names the right ones: one, several or none."""
consistency = consistency_results()
"""Of yes/no questions with the fields `item` and `variant`."""
label_metrics = metric_list(LABEL_FIGURES)
consistency_metrics = metric_list(CONSISTENCY_FIGURES)
