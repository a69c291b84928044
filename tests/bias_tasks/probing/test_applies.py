"""Items to which a probe does not apply, since it would change nothing or what is right."""

import pytest

from bias_tasks.probing.probes import PROBES
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError
from bias_tasks.probing.probes.prompt import STATEMENTS
from bias_tasks.prompts.seeded import seeded


def asked(probe, item, seed=0):
    return PROBES[probe].asked(item, seeded(seed, item.id))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("choices", "kind"), [(("one", "two"), "upper"), (("I", "A"), "lower")])
def test_capitals_change_what_is_not_so_already(choices, kind, seed):
    found = asked("casing", ProbedItem("i", "?", choices, (0,)), seed)
    assert found.dress.capitals == kind


def test_choices_of_which_none_is_known_to_be_right_keep_their_order():
    with pytest.raises(DoesNotApplyError, match="which of its choices is right is not known"):
        asked("order", ProbedItem("i", "?", ("one", "two"), ()))


@pytest.mark.parametrize("seed", range(8))
def test_a_statement_before_the_question_shares_no_longer_word_with_the_item(seed):
    item = ProbedItem("i", "Who sleeps in the shed?", ("the baker", "the cellos"), (0,))
    statement, _, question = asked("distract", item, seed).text.partition(". ")
    assert question == item.text
    assert not any(word in statement.casefold() for word in ("sleep", "shed", "baker"))
    assert not any(sign.isdigit() for sign in statement)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Translate: Guten Tag", "it asks about its own text"),
        ("How many letters has this?", "it asks about its own text"),
        ("", "its prompt has no text of its own"),
        (" ".join(STATEMENTS), "every statement shares a word with it"),
    ],
)
def test_no_statement_stands_where_it_would_change_what_is_right(text, reason):
    with pytest.raises(DoesNotApplyError, match=reason):
        asked("distract", ProbedItem("i", text))
