"""The study of models that know nothing: its table of the profile against the page's."""

import pytest

from benchmarks.studies import no_knowledge_models as study


def test_the_profile_agrees_with_the_page_or_says_where_it_does_not(tmp_path, monkeypatch, capsys):
    # A model without an answer has the same cells whatever the number of items is.
    profile = study.read_profile()
    few = {task: row | {"n": 12} for task, row in profile["tasks"].items()}
    monkeypatch.setattr(study, "read_profile", lambda: profile | {"tasks": few})
    study.main(["--profile", "empty"])  # exits without an error
    assert "| empty | - | - | -, 100% unparsed |" in capsys.readouterr().out
    page = study.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(study, "PAGE", tmp_path / "nothing.md")
    study.PAGE.write_text(page.replace("-, 100% unparsed", "0.000"), encoding="utf-8")
    with pytest.raises(SystemExit, match=r"nothing.md has .*'0.000'.* for empty, but it is"):
        study.main(["--profile", "empty"])
