"""Whatever a model answers or is called, the page stays whole, small and without scripts."""

from pathlib import Path

import pytest

from bias_tasks.results.report.forest import Row, forest
from bias_tasks.results.text import excerpt
from tests.bias_tasks.hostile import KINDS, hostile_answers, sized_answers
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.pages import Seen, evaluated, made

NAME = "</title></text></svg><script>alert(2)</script>$x^2$\u202egnp"
SCRIPT = (
    "<script>alert(1)</script></style></pre><img src=x onerror=alert(1)>{{ 7*7 }}"
    "\u202eevil\u2066 \ud800 Final Answer: "
)
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    hostile = iter(["x" * 5 * MEGABYTE, "<!--", "]]>", *(text for _, text in hostile_answers(9))])

    def reply(prompt):
        """Of what is unread one of each kind; else the first option until another is suggested."""
        return next(hostile, None) or SCRIPT + ("7" if "consensus" in prompt else "1")

    folder = tmp_path_factory.mktemp("hostile")
    log = evaluated(
        folder,
        "instruction_boundary/conformity",
        mock(reply, NAME),
        data="synthetic",
        form="choice",
        n=30,
    )
    return made(Path(log))


def test_no_answer_and_no_name_becomes_an_element(seen):
    text, page = seen
    assert page.tags.isdisjoint({"script", "img"})
    assert "<script" not in text
    assert "onerror" not in {name for _, attributes in page.elements for name in attributes}
    assert "<script>alert(2)</script>" in page.said  # shown, as text
    assert "{{ 7*7 }}" in page.said


def test_the_page_can_be_written_and_nothing_turns_its_direction(seen):
    seen[0].encode("utf-8")
    assert not set(seen[0]) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\x00")
    assert "\\u202e" in seen[1].said


def test_the_page_stays_small(seen):
    assert len(seen[0].encode("utf-8")) < MEGABYTE // 4


@pytest.mark.parametrize("kind", KINDS)
def test_an_excerpt_is_bounded_and_printable(kind):
    text = dict(sized_answers(20_000))[kind]
    shown = excerpt(text, 600)
    assert len(shown) <= 1_300
    assert all(part.isprintable() for part in shown.split("\n"))
    shown.encode("utf-8")


def test_labels_of_a_plot_are_text():
    rows = [Row(NAME, 0.5, 0.4, 0.6), Row("模型" * 30, 0.1, float("nan"), float("nan"))]
    drawn = forest(rows, "f", title=NAME, told=NAME, zero=True, key="k")
    page = Seen(drawn)
    assert "script" not in page.tags
    assert "style" not in page.tags
    assert all(
        attributes["id"].startswith("k-") for _, attributes in page.elements if "id" in attributes
    )


def test_two_plots_share_no_id():
    rows = [Row("m", 0.5, 0.4, 0.6)]
    ids = [
        {
            attributes["id"]
            for _, attributes in Seen(
                forest(rows, "f", title="t", told="w", zero=False, key=key)
            ).elements
            if "id" in attributes
        }
        for key in ("one", "two")
    ]
    assert ids[0]
    assert not ids[0] & ids[1]
