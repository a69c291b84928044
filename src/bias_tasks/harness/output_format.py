"""The task class behind the YAML of output formats."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.design.known import make_known
from bias_tasks.design.output_format import (
    FormatParams,
    FormatQuestion,
    plan_formats,
    question_from_dict,
)
from bias_tasks.formats import FORMATS
from bias_tasks.harness.figures import OutcomeScore
from bias_tasks.harness.parameters import ANY, COUNT, NAMES, TEXT, Kind, read_parameters
from bias_tasks.harness.task import Documents, FamilyTask
from bias_tasks.items.output_format import Category
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.scoring.output_format import (
    FOLLOWS,
    SCORE,
    format_card,
    format_shares,
    payload_text,
    read_format,
)

FormatAnswer = tuple[Mapping[str, Any], Mapping[str, float]]
"""What is known of a question, and the shares of its answer, as `format_card` takes them."""

_ASKING: Mapping[str, Kind] = {
    "prompting": TEXT,
    "repeat": ANY,
    "demos": ANY,
    "protocol": TEXT,
    "moe": ANY,
    "alpha": ANY,
    "seed": COUNT,
}
"""What `FormatParams` takes and checks."""
PARAMETERS: Mapping[str, Kind] = {
    **_ASKING,
    "dataset": NAMES,
    "formats": NAMES,
    "demos_from": TEXT,
    "n": COUNT,
}
"""The rest is what `plan_formats` takes."""

_HIGHER_IS_BETTER = frozenset({"fi", "sys", "est_true", "reliable"})
_LOWER_IS_BETTER = frozenset({"bias_f", "bias_f_corrected", "fi_var"})


class FormatTask(FamilyTask[FormatAnswer]):
    """One category of formats on one data set, every item asked in every format, or in one.

    A document is `{id, prompt, gold, question}`: id is `<item>/<format>`, and `question` holds all
    that is needed to read and score the answer, as JSON. The harness does not say whether an answer
    was cut at its token limit, so `max_gen_toks` must leave room for a whole one.
    """

    def documents(
        self, category: Category, dataset: str | None = None, format: str | None = None
    ) -> Documents:
        """The questions of the run.

        Args:
            category: the formats' category.
            dataset: the data set, where the YAML names it; the user's files otherwise.
            format: the one format to ask for, where the YAML names it.
        """
        metadata = self.config.metadata
        given = read_parameters(metadata, PARAMETERS, _elsewhere(metadata, dataset, format))
        self._params = FormatParams(**{name: given.pop(name) for name in _ASKING if name in given})
        self._format = format
        said = given.pop("dataset", "")
        asked = _own_files(said) if dataset is None else dataset
        planning = {**given, "formats": format or given.get("formats")}
        planned = plan_formats(f"format_{category}", self._params, dataset=asked, **planning)
        make_known(planned)
        return Documents(
            [self.doc(question) for question in planned.questions],
            {
                **asdict(self._params),
                **given,
                "data": ", ".join(planned.datasets),
                "formats": list(dict.fromkeys(question.format for question in planned.questions)),
                "provenance": list(planned.provenance),
            },
        )

    def doc(self, question: FormatQuestion) -> dict[str, Any]:
        """The document that asks `question`."""
        return {
            "id": question.id,
            "prompt": question.prompt(),
            "gold": payload_text(question.item.answer),
            "question": json.dumps(question.to_dict(), ensure_ascii=False),
        }

    def score(self, doc: Mapping[str, Any], results: Sequence[str]) -> OutcomeScore[FormatAnswer]:
        """What became of the question, from the one answer among `results`."""
        question = _question(doc)
        shares = format_shares(question, read_format(question, results[0]))
        return OutcomeScore(shares[SCORE], (question.facts(), shares))

    def outcome_with_all_figures(self, doc: Mapping[str, Any]) -> FormatAnswer:
        """An answer that follows its format: only formats that some answer follows are compared."""
        return _question(doc).facts(), {FOLLOWS: 1.0, SCORE: 1.0}

    def scorecard(self, outcomes: Sequence[FormatAnswer]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes; where one format is asked, those that compare none."""
        params = self._params
        card = format_card(outcomes, moe=params.moe, alpha=params.alpha, protocol=params.protocol)
        if self._format is None:
            return card
        own = f"/{self._format}"
        return {name: card[name] for name in card if name == "items" or name.endswith(own)}

    def more_is_better(self, name: str) -> bool | None:
        """Whether a higher figure is a better one; None where that can't be said."""
        kind, _, fmt = name.partition("/")
        if kind in _HIGHER_IS_BETTER and fmt in FORMATS:
            return True
        return False if name in _LOWER_IS_BETTER else None


def _question(doc: Mapping[str, Any]) -> FormatQuestion:
    return question_from_dict(json.loads(doc["question"]))


def _elsewhere(
    metadata: Mapping[str, Any], dataset: str | None, format: str | None
) -> dict[str, str]:
    """What the task's name says already and otherwise, or another parameter says."""
    if dataset is None:
        said = {"data": "your own file is given as `dataset` here, not as `data`"}
    else:
        # Tasks of other families in the same run may want `data` as "synthetic".
        other = [name for name in ("dataset", "data") if metadata.get(name) != dataset]
        said = {name: _NAMED_DATA.format(name) for name in other}
    if format is not None:
        said["formats"] = "the task's name says the format: leave `formats` out"
    return said


def _own_files(dataset: str | Sequence[str]) -> list[str]:
    """The user's files.

    Raises:
        ValueError: there are none, or something else is among them.
    """
    names = dataset.split(",") if isinstance(dataset, str) else dataset
    files = [name.strip() for name in names if name.strip()]
    other = [name for name in files if not name.lower().endswith(FILE_ENDINGS)]
    if other or not files:
        found = ", ".join(map(repr, other)) or "none"
        raise ValueError(
            f"dataset in --metadata: expected your own file ({', '.join(FILE_ENDINGS)}), found "
            f"{found}; other data sets have tasks of their own"
        )
    return files


_NAMED_DATA = (
    "the task's name says the data set: leave `{}` out, or run the task of another one "
    "(`..._synthetic`, or `..._file` for your own)"
)
