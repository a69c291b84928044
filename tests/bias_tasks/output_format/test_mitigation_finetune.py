"""Fine-tuning data: shares by sys, rows as the task asks them, and never an evaluated item."""

import hashlib
import json
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.commands.mitigation.finetune import (
    chat_rows,
    rows_per_format,
    sys_by_format,
    training_split,
)
from bias_tasks.output_format.data.synthetic import generate_formats
from bias_tasks.output_format.formats import FORMATS, reading
from bias_tasks.output_format.items import ANSWER_TYPES
from bias_tasks.output_format.metrics.finetune import (
    counts,
    finetune_shares,
)
from bias_tasks.output_format.metrics.task_scores import (
    task_score,
)
from bias_tasks.output_format.prompts.ask import ask_format
from bias_tasks.respondents.asked_format import asked_format
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.results.answers import UnusableRunError
from tests.bias_tasks.output_format.runs import (
    WRAPPINGS,
    answers_of,
    asked,
    came_to,
    numbers,
    of_dataset,
    training_file,
    with_answers,
    with_provenance,
)

EVALUATED = numbers(40)
TRAINING = numbers(150, training=True)
RUN = asked(EVALUATED, "format_blind")


def seen(row, known):
    """The item, format and answer of a row, read from its text."""
    user, assistant = row["messages"]
    assert (user["role"], assistant["role"]) == ("user", "assistant")
    found = known.locate(user["content"])
    asking = asked_format(user["content"], found.start, found.item)
    return found.item, asking.formats[-1], asking.times, assistant["content"]


def test_rows_are_in_inverse_proportion_to_sys():
    answers = [
        came_to(answer, True, score)
        for answer in answers_of(RUN)
        for score in [{"bolding": 0.25, "quoting": 1.0}.get(answer.outcome.variant, 0.5)]
    ]
    run = with_answers(RUN, answers)
    assert sys_by_format(run) == {
        name: {"bolding": 0.25, "quoting": 1.0}.get(name, 0.5) for name in WRAPPINGS
    }
    # 4 + 1 + 5 * 2 = 15 parts
    expected = {name: {"bolding": 40, "quoting": 10}.get(name, 20) for name in WRAPPINGS}
    assert rows_per_format(run, 150) == expected


def test_a_format_that_never_scores_gets_what_the_metrics_give_it():
    run = asked(EVALUATED, "perfect", {"follow_brackets": 0})
    rows = rows_per_format(run, 160)
    assert rows == counts(finetune_shares(sys_by_format(run)), 160)
    assert rows["brackets"] == 100
    assert {rows[name] for name in WRAPPINGS if name != "brackets"} == {10}


def test_sys_is_over_all_data_sets_of_the_run():
    other = [came_to(of_dataset(answer, "other"), True, 1.0) for answer in answers_of(RUN)]
    both = sys_by_format(with_answers(RUN, [*answers_of(RUN), *other]))
    assert both == pytest.approx(
        {name: (value + 1) / 2 for name, value in sys_by_format(RUN).items()}
    )


@pytest.mark.parametrize("prompting", ["zs", "zs_cot"])
@pytest.mark.parametrize("repeat", [1, 3])
def test_rows_ask_as_the_task_does_and_answer_in_the_format(prompting, repeat):
    items = generate_formats(140, 1, training=True)
    known = KnownItems(items)
    run = asked(generate_formats(14, 1), formats=tuple(FORMATS), prompting=prompting, repeat=repeat)
    rows = rows_per_format(run, 150)
    assert set(rows) == set(FORMATS)
    made = chat_rows(run, items, rows, seed=0)
    types = set()
    for row in made:
        item, fmt, times, answer = seen(row, known)
        prompt = row["messages"][0]["content"]
        assert times == repeat
        assert prompt == ask_format(item, fmt, prompting=prompting, repeat=repeat)
        found = reading.read(fmt, answer, item, "corrected", prompting)
        assert found.follows
        assert task_score(found.payload, item, "corrected") == 1
        types.add(item.answer_type)
    assert types == set(ANSWER_TYPES)


def test_each_format_gets_its_rows_and_no_item_twice():
    rows = rows_per_format(RUN, 300)
    known = KnownItems(TRAINING)
    made = [seen(row, known) for row in chat_rows(RUN, TRAINING, rows, seed=0)]
    assert Counter(fmt.name for _, fmt, _, _ in made) == rows
    assert len({(item.id, fmt.name) for item, fmt, _, _ in made}) == 300
    assert {item.id for item, _, _, _ in made} <= {item.id for item in TRAINING}
    # Mixed: the first rows are not all of one format.
    assert len({fmt.name for _, fmt, _, _ in made[:30]}) > 4


def test_rows_follow_from_the_seed():
    rows = rows_per_format(RUN, 100)
    first = chat_rows(RUN, TRAINING, rows, seed=0)
    assert first == chat_rows(RUN, TRAINING, rows, seed=0)
    assert first != chat_rows(RUN, TRAINING, rows, seed=1)


def test_too_few_items_are_refused():
    with pytest.raises(UnusableRunError, match=r"gets .* rows, but there are 150 training items"):
        chat_rows(RUN, TRAINING, rows_per_format(RUN, 2000), seed=0)


def test_an_answer_that_a_format_cannot_hold_is_passed_over():
    item = generate_formats(1, 0, ("string_list",), training=True)[0]
    broken = replace(item, id="broken", answer=("a\nb", "c"))
    run = asked(generate_formats(2, 0, ("string_list",)), formats=("bullet", "python"))
    made = chat_rows(run, [broken, item], {"bullet": 1, "python": 2}, seed=0)
    assert len(made) == 3
    with pytest.raises(UnusableRunError, match="bullet gets 2 rows, but there are 1 training"):
        chat_rows(run, [broken, item], {"bullet": 2}, seed=0)


def test_a_training_split_is_taken(tmp_path):
    path = training_file(tmp_path / "train.jsonl", TRAINING)
    found = training_split(path, RUN)
    assert [item.input for item in found] == [item.input for item in TRAINING]


@pytest.mark.parametrize(
    "leak",
    [
        lambda item: replace(item, id="another"),
        lambda item: replace(item, input="A question of its own?"),
        lambda item: replace(item, id="x", input=f" {item.input.upper()}".replace(" ", "\n ")),
    ],
    ids=["same content", "same id", "same words"],
)
def test_an_evaluated_item_is_refused(tmp_path, leak):
    leaked = leak(EVALUATED[7])
    path = training_file(tmp_path / "train.jsonl", [*TRAINING, leaked])
    with pytest.raises(UnusableRunError, match=f"holds items that .* evaluated: {leaked.id}; take"):
        training_split(path, RUN)


def test_many_evaluated_items_are_named_in_short(tmp_path):
    path = training_file(tmp_path / "train.jsonl", EVALUATED)
    with pytest.raises(UnusableRunError, match="and 35 more; take them out"):
        training_split(path, RUN)


@pytest.mark.parametrize("known_by", ["path", "content"])
def test_the_evaluated_file_is_refused_even_where_its_items_were_not_asked(tmp_path, known_by):
    path = training_file(tmp_path / "mine.jsonl", TRAINING)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    source = {"source": "file", "path": str(path), "sha256": sha256}
    changed = {"path": {"sha256": "0"}, "content": {"path": "moved.jsonl"}}[known_by]
    run = with_provenance(RUN, {"source": "synthetic", "seed": 0}, {**source, **changed})
    with pytest.raises(UnusableRunError, match=r"mine.jsonl is the file that .* evaluated"):
        training_split(path, run)
    assert training_split(path, RUN)


def test_text_of_other_scripts_stays_readable(tmp_path):
    item = replace(TRAINING[0], id="u", input="Сколько будет 2 + 2?", answer="４")
    run = asked([replace(item, id="v", input="Сколько?")], formats=("bolding",))
    (row,) = chat_rows(run, [item], {"bolding": 1}, seed=0)
    assert "Сколько будет 2 + 2?" in json.dumps(row, ensure_ascii=False)
