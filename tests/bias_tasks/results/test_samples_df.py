"""Inspect's own data frames of our logs: one shape, whichever family's task was run."""

import pandas as pd
from inspect_ai.analysis import SampleSummary, samples_df
from inspect_ai.log import read_eval_log

from bias_tasks import outcome_columns, outcomes_df
from bias_tasks.families import FAMILY_NAMES
from bias_tasks.record import RECORD

ALIKE = {"item", "cluster", "variant", "facts"}


def logs(store):
    return sorted((store / "logs").glob("*.eval"))


def test_every_family_has_the_same_columns_and_none_is_missing(store):
    frames = {}
    for log in logs(store):
        frame = samples_df(log, quiet=True)
        noted = frame[[name for name in frame if name.startswith("metadata_")]]
        assert {name.removeprefix("metadata_") for name in noted} == ALIKE
        assert {str(kind) for kind in noted.dtypes} == {"large_string[pyarrow]"}
        assert not noted.isna().any(axis=None)
        frames[read_eval_log(str(log), header_only=True).eval.metadata[RECORD]["family"]] = frame
    assert set(frames) == set(FAMILY_NAMES)
    columns = [
        [c for c in frame if c.startswith(("metadata", "score"))] for frame in frames.values()
    ]
    assert all(each == columns[0] for each in columns)


def test_what_answers_came_to_has_one_shape_too(store):
    frame = samples_df(logs(store), columns=SampleSummary + outcome_columns(), quiet=True)
    kinds = {name: str(kind) for name, kind in frame.dtypes.items() if name.startswith("outcome_")}
    assert kinds.pop("outcome_score") == "double[pyarrow]"
    assert kinds.pop("outcome_right") == "bool[pyarrow]"
    assert set(kinds) == {"outcome_answer", "outcome_why", "outcome_reason"}
    assert not frame["outcome_why"].isna().any()
    expected = outcomes_df(store / "logs")
    expected["id"] = expected["item"] + "/" + expected["variant"]
    for log, rows in expected.groupby("log"):
        found = frame[frame["log"].map(lambda name, log=log: str(log).endswith(name))]
        both = rows.merge(found, on="id", validate="1:1")
        assert len(both) == len(rows) == len(found)
        for name in ("answer", "score", "right", "why"):
            ours = [None if pd.isna(value) else value for value in both[name]]
            theirs = [None if pd.isna(value) else value for value in both[f"outcome_{name}"]]
            assert ours == theirs, (log, name)
        for name in ("item", "cluster", "variant"):
            assert list(both[name]) == list(both[f"metadata_{name}"])
