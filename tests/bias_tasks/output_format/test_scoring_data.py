"""The scoring data in the metadata of samples."""

import json

import pytest

from bias_tasks.contract.logged_outcomes import scoring_data_of
from bias_tasks.output_format.any_task import find_format_data
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import find_formats
from bias_tasks.output_format.items import ANSWER_TYPES, FormatParams
from bias_tasks.output_format.plan import FormatQuestion
from tests.bias_tasks.output_format.runs import make_items

QUESTIONS = [
    FormatQuestion(item, fmt.name, FormatParams(prompting="zs_cot", score="paper"))
    for answer_type in ANSWER_TYPES
    for item in make_items(answer_type, 1)
    for fmt in find_formats(item)
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.format)
def test_a_question_is_rebuilt_from_metadata(question):
    metadata = json.loads(json.dumps(question.scoring_data().to_dict()))
    data = scoring_data_of(FAMILY, metadata)
    assert data == question.scoring_data()
    assert data.to_item() == question.item
    assert find_format_data(metadata) == data
    assert find_format_data({"requested_format": metadata}) == data


def test_metadata_of_another_package_has_no_format():
    for metadata in ({}, {"question": "Why?"}, {"item": {"id": 1}, "format": 2}):
        assert find_format_data(metadata) is None
