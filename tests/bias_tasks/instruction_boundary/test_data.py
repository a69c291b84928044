"""The items of a run and their order; the pinned data sets and their declared properties."""

import json
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.data.errors import DataError
from bias_tasks.digests import content_hash
from bias_tasks.families import FAMILY_NAMES, PROBING
from bias_tasks.instruction_boundary.data.converters import CONVERTERS
from bias_tasks.instruction_boundary.data.core import N_RESERVED, select_examples
from bias_tasks.instruction_boundary.data.load import balance_labels, load_items, select_subset
from bias_tasks.instruction_boundary.items import FORMS, LABELS, ChoiceItem, JudgingItem

ANSWERS = {"single": (1,), "multiple": (0, 2), "none": ()}
EVERY = (*LABELS["judging"], *LABELS["choice"])


def _item(label, name):
    if label in ANSWERS:
        return ChoiceItem(name, "q", ("a", "b", "c"), ANSWERS[label], "s", name)
    return JudgingItem(name, "facts", "q", label, "s", name)


@given(
    st.fixed_dictionaries({label: st.integers(0, 12) for label in EVERY}),
    st.integers(),
    st.integers(0, 80),
    st.randoms(),
)
def test_the_first_k_items_are_balanced_in_an_order_that_only_the_seed_decides(
    counts, seed, k, random
):
    items = [_item(label, f"{label}-{i}") for label, n in counts.items() for i in range(n)]
    ordered = balance_labels(items, seed)
    assert balance_labels(random.sample(items, len(items)), seed) == ordered
    first = Counter(item.label for item in ordered[:k])
    left = [label for label, n in counts.items() if first[label] < n]
    most = max(first.values(), default=0)
    assert all(first[label] >= most - 1 for label in left)
    assert left or first == +Counter(counts)


def test_the_papers_items(shared_data):
    loaded = load_items()
    assert Counter(item.source for item in loaded.items) == {"folio": 640, "ib_choice": 373}
    by_source = [(origin["source"], origin["n"]) for origin in loaded.provenance]
    assert by_source == [("folio", 640), ("ib_choice", 373)]
    json.dumps(loaded.provenance)  # goes into a log
    folio = loaded.provenance[0]
    assert folio["repository"] == "Yale-LILY/FOLIO"
    assert folio["revision"].startswith("5d7bb84c7e")
    assert folio["files"][0]["sha256"].startswith("008d34b7")
    other = load_items(seed=1)
    assert other.items != loaded.items
    assert set(other.items) == set(loaded.items)
    few = load_items(n=6)
    assert few.items == loaded.items[:6]
    assert len({(item.form, item.label) for item in few.items}) == 6
    assert [origin["n"] for origin in few.provenance] == [3, 3]


def test_sources_are_chosen_by_form_by_name_or_by_the_task(shared_data):
    for form in ("judging", "choice"):
        loaded = load_items(form=form)
        assert {item.form for item in loaded.items} == {form}
        assert len(loaded.provenance) == 1
    by_list = load_items(sources=["mmlu_pro", "ib_choice"])
    assert by_list == load_items(sources=" mmlu_pro,ib_choice,ib_choice")
    assert {item.source for item in by_list.items} == {"mmlu_pro", "ib_choice"}
    loaded = load_items(form="choice", ten_options=True)
    assert {item.source for item in loaded.items} == {"mmlu_pro"}
    chosen = load_items(form="choice", ten_options=True, sources="ib_choice")
    assert {item.source for item in chosen.items} == {"ib_choice"}


def test_errors_name_the_data_that_cannot_be_loaded(tmp_path):
    mine = tmp_path / "mine.jsonl"
    mine.write_text('{"context": "c", "question": "q", "answer": "True"}\n')
    for data, wrong, message in (
        ("paper", {"sources": "folio,nope"}, r"unknown source 'nope'.*ib_choice, ib_choice_2700"),
        ("paper", {"sources": ""}, "unknown source none"),
        ("paper", {"form": "choice", "sources": "folio"}, "'paper' has no choice item"),
        (str(mine), {"form": "choice"}, "has no choice item"),
        ("synthetic", {"sources": "folio"}, "sources= selects data sets of the paper"),
    ):
        with pytest.raises(DataError, match=message):
            load_items(data, **wrong)
    (origin,) = load_items(str(mine)).provenance
    assert (origin["source"], origin["path"], origin["n"]) == ("file", str(mine), 1)
    assert len(origin["sha256"]) == 64


def test_core_items_are_prompted_except_for_reserved_examples():
    loaded = load_items("core")
    sizes = {"judging": 80, "choice": 100}
    assert Counter(item.label for item in loaded.items) == {
        label: sizes[form] - N_RESERVED for form in FORMS for label in LABELS[form]
    }
    kept = [
        example.id
        for form in FORMS
        for example in select_examples(form, "balanced", N_RESERVED, 0, reserved_only=True)
    ]
    assert len(kept) == 2 * 3 * N_RESERVED  # three of the choice form are the paper's own
    assert not set(kept) & {item.id for item in loaded.items}
    reserved = select_examples("judging", "balanced", N_RESERVED, 0, reserved_only=True)
    passages = {item.context for item in loaded.items}
    assert not passages & {example.context for example in reserved}
    with pytest.raises(ValueError, match="there are only 3 worked examples of the label True"):
        select_examples("judging", "True", 4, 0, reserved_only=True)
    assert len(select_examples("judging", "True", 20, 0)) == 20
    [origin] = loaded.provenance
    assert (origin["source"], origin["name"], origin["n"]) == ("core", "bias-core 3", 522)
    ten = load_items("core", form="choice", ten_options=True).items
    assert {(len(item.options), len(item.answer)) for item in ten} == {(10, 1)}


def test_items_equal_the_records_of_the_files_and_their_ids_never_change(shared_data):
    """An id that moves makes recorded answers unusable."""
    items = {item.id: item for item in load_items(sources="ib_choice,folio,mmlu_pro").items}
    bare = items["ib_choice-ab467f01e9"]
    assert bare.question == "Which of these things did Susan B. Anthony fight for?"
    assert bare.options[3] == "women's right to vote"
    assert bare.printed_options[3] == "3. women's right to vote"
    assert (bare.answer, bare.context, bare.cluster) == ((3,), None, bare.id)
    passage = items["ib_choice-9e67b14a93"]
    assert passage.context.startswith("Sent 1: The Creed family moves into a new home ,")
    assert passage.context.endswith("who died in service during World War II .")
    assert passage.answer == (1, 3)
    assert passage.options == passage.printed_options  # MultiRC's are printed without numbers
    assert passage.cluster == f"ib_choice-{content_hash(passage.context)}"
    judging = items["folio-2cf9dbcd1f"]
    assert judging.context.startswith("Naive cynicism was proposed by Justin Kruger and a coll")
    assert judging.context.splitlines()[2] == "Naive cynicism is a philosophy of mind."
    assert judging.question == "Justin Kruger propose a philosophy of mind."
    assert (judging.answer, judging.cluster) == ("True", f"folio-{content_hash(judging.context)}")
    assert len(items["mmlu_pro-0016df99d8"].options) == 10


def converted(name, tmp_path, *rows):
    path = tmp_path / "records.json"
    path.write_text(json.dumps(rows) if name == "ib_judging" else "\n".join(map(json.dumps, rows)))
    return list(CONVERTERS[name]([path]))


def test_records_of_data_sets_that_are_not_available_offline(tmp_path):
    labels = {"__PROVED__": "True", "__DISPROVED__": "False", "__UNKNOWN__": "Unknown"}
    for name, facts, statement, label in (
        ("ib_judging", "Facts", "Conclusion", "proof_label"),
        ("fld", "context", "hypothesis", "world_assump_label"),
    ):
        row = {facts: " Tom is a cat.", statement: "Tom purrs.", "extra": 1}
        items = converted(name, tmp_path, *({**row, label: printed} for printed in labels))
        assert [item.answer for item in items] == list(labels.values())
        assert {(i.context, i.question) for i in items} == {("Tom is a cat.", "Tom purrs.")}
        assert len({item.cluster for item in items}) == 1
        with pytest.raises(ValueError, match=r"expected str in the column \w+_label, .*extra"):
            converted(name, tmp_path, row)
        with pytest.raises(ValueError, match=f"unknown {label} 'MAYBE'; known are PROVED"):
            converted(name, tmp_path, {**row, label: "MAYBE"})
    for printed in ("Unknown", "Uncertain"):
        record = {"premises": ["a ", "b"], "conclusion": "c", "label": printed}
        (item,) = converted("folio", tmp_path, record)
        assert (item.context, item.answer) == ("a\nb", "Unknown")


def test_a_subset_depends_on_ids_only():
    items = [_item("False" if i % 2 else "True", f"s-{i}") for i in range(10)]
    ids = [item.id for item in select_subset(reversed(items), {"True": 2, "False": 1})]
    assert ids == ["s-0", "s-2", "s-1"]
    with pytest.raises(DataError, match="expected 6 items with the label True, but there are 5"):
        select_subset(items, {"True": 6})


def test_registration_reads_only_declarations_and_imports_no_heavy_package():
    code = (
        "import sys, inspect_ai.model, inspect_ai.scorer; before = set(sys.modules)\n"
        "from bias_tasks.data import files; read = files.read_yaml.__wrapped__\n"
        "files.read_yaml = lambda *names: print(*names) or read(*names)\n"
        "import bias_tasks._registry\n"
        "print(*{'numpy', 'scipy', 'pandas', 'datasets'} & (set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    declared = {f"bias_tasks.{family} tasks" for family in (*FAMILY_NAMES, PROBING)}
    declared |= {"bias_tasks.contract metrics", "bias_tasks.probing formats"}
    declared |= {f"bias_tasks.probing.probes {texts}" for texts in ("texts", "instructions")}
    *read, heavy = run.stdout.splitlines()
    assert read
    assert set(read) <= declared
    assert not heavy
