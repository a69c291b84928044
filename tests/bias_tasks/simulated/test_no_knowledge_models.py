"""The study of models that know nothing: its table of the profile against the page's."""

import pytest

from benchmarks.studies import no_knowledge_models as study


def test_the_profile_agrees_with_the_page_or_says_where_it_does_not(tmp_path, monkeypatch, capsys):
    study.main(["--profile", "empty"])  # exits without an error
    assert "| empty | -, 100% unparsed |" in capsys.readouterr().out
    page = study.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(study, "PAGE", tmp_path / "core.md")
    wrong = page.replace("| echo, empty | no value |", "| echo, empty | SMALL |")
    study.PAGE.write_text(wrong, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"core.md has .*'small'.* for empty, but it is"):
        study.main(["--profile", "empty"])
