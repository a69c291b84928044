"""Yes and no, however they are written."""

import pytest

from bias_tasks.data.labels import as_truth, labels, truth

YES = [True, 1, 1.0, "1", "true", "True", "TRUE", "yes", "Yes", "YES", " yes "]
NO = [False, 0, 0.0, "0", "false", "False", "FALSE", "no", "No", "NO"]
NEITHER = [None, 2, -1, 0.5, float("nan"), "", "y", "t", "on", "maybe", "2", "truee", [1], {"a": 1}]


@pytest.mark.parametrize(("cells", "said"), [(YES, True), (NO, False), (NEITHER, None)])
def test_what_a_cell_says(cells, said):
    assert [truth(cell) for cell in cells] == [said] * len(cells)


def test_labels_and_truth_values_are_made_of_what_says_yes_or_no_alone():
    label = labels("Proved", "Disproved", "Open")
    assert [label(cell) for cell in (True, "NO", "open", " OPEN", "opened", 7)] == [
        "Proved", "Disproved", "Open", "Open", "opened", 7,
    ]  # fmt: skip
    assert [as_truth(cell) for cell in ("Yes", 0, "perhaps")] == [True, False, "perhaps"]
