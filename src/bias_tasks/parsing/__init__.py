"""Parse the answers of language models: candidates, and grammars that match them in full."""

from bias_tasks.parsing.answer import AnswerForm as AnswerForm
from bias_tasks.parsing.answer import FormName as FormName
from bias_tasks.parsing.answer import parse_answer as parse_answer
from bias_tasks.parsing.parsed_answer import Level as Level
from bias_tasks.parsing.parsed_answer import ParsedAnswer as ParsedAnswer
from bias_tasks.parsing.parsed_answer import UnparsedReason as UnparsedReason
