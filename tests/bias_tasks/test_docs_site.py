"""The documentation site: the repository's links as its own, and nothing from elsewhere."""

from types import SimpleNamespace

import pytest

pytest.importorskip("mkdocs", reason="the site is built where the extra `docs` is installed")
from mkdocs.exceptions import PluginError

from tests.bias_tasks.paper_coverage import ROOT, tool


@pytest.fixture(scope="module")
def site():
    return tool("docs_site")


def page(name, path):
    return SimpleNamespace(file=SimpleNamespace(src_uri=name, abs_src_path=str(ROOT / path)))


INDEX, FAMILY = page("index.md", "README.md"), page("binary_qa.md", "docs/binary_qa.md")
FENCED = "````text\n```\n[a](../README.md)\n````"
REWRITTEN = [
    (INDEX, "[a](docs/plan.md#profiles)", "[a](plan.md#profiles)"),
    (INDEX, "![a](docs/report.png)", "![a](report.png)"),
    (INDEX, "[a](CONTRIBUTING.md)", "[a](contributing.md)"),
    (FAMILY, "[a](../README.md)", "[a](index.md)"),
    (FAMILY, "[a](../examples/binary_qa.csv)", "[a](source/examples/binary_qa.csv)"),
    (FAMILY, "[the examples](../examples)", "the examples"),
    (FAMILY, r"| `a \| b` | c \| d |", r"| `a | b` | c \| d |"),
    *((FAMILY, same, same) for same in (FENCED, "[a](#x)", "[a](https://arxiv.org)", r"`a \| b`")),
]


def test_a_page_is_rewritten_for_the_site(site):
    found = [
        (of, written, site.on_page_markdown(written, of, None, None))
        for of, written, _ in REWRITTEN
    ]
    assert found == REWRITTEN


def test_what_would_be_loaded_from_elsewhere_fails_the_build(site):
    for element in (
        '<script src="https://cdn.example/x.js"></script>',
        "<link rel=stylesheet href=//cdn.example/x.css>",
        '<img alt="" src="http://example.org/x.png">',
    ):
        with pytest.raises(PluginError, match="loads from elsewhere"):
            site.on_post_page(f"<p>{element}</p>", FAMILY, None)
    own = '<a href="https://arxiv.org">x</a><script src="assets/x.js"></script>'
    assert site.on_post_page(own, FAMILY, None) == own
