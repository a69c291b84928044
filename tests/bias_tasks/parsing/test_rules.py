"""Each rule of the parser with recorded answers that need it, and some that it leaves alone.

`rules.yaml` names the answers by their ids in `recorded.jsonl` and `recorded_own_prompts.jsonl`. An
answer that needs a rule is parsed right, and not without the rule; one that has the rule's words
without meaning it is parsed right all the same.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest
import yaml

import bias_tasks.parsing.answer
from tests.bias_tasks.parsing.recorded import all_rows, gold_of, parsed

RULES = yaml.safe_load(Path(__file__).with_name("rules.yaml").read_text(encoding="utf-8"))
NEVER = re.compile(r"(?!)")


@pytest.fixture
def grammars():
    """Grammars built without a rule must not be kept."""
    bias_tasks.parsing.answer._grammar.cache_clear()
    yield
    bias_tasks.parsing.answer._grammar.cache_clear()


@pytest.mark.parametrize("rule", RULES)
def test_the_answers_that_need_a_rule(rule, monkeypatch, grammars):
    rows = {row["id"]: row for row in all_rows()}
    needed_by = [rows[name] for name in RULES[rule]["needed_by"]]
    module, *owners, name = rule.split(".")
    owner = import_module(f"bias_tasks.parsing.{module}")
    for attribute in owners:
        owner = getattr(owner, attribute)
    words = getattr(owner, name)
    assert len(needed_by) >= 3
    assert len({row["source"] for row in needed_by}) >= 2
    assert [row["id"] for row in needed_by if parsed(row) != gold_of(row)] == []
    for row in (rows[name] for name in RULES[rule]["no_effect_on"]):
        assert words.search(row["text"])
        assert parsed(row) == gold_of(row)
    monkeypatch.setattr(owner, name, NEVER)
    bias_tasks.parsing.answer._grammar.cache_clear()
    assert [row["id"] for row in needed_by if parsed(row) == gold_of(row)] == []
