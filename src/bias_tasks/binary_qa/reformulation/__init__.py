"""Rewords yes/no questions by grammar, and checks rewordings whoever made them.

Host-free: neither inspect_ai nor lm_eval. The kinds are those of Khrapunova 2025, section 2.2.
"""

from bias_tasks.binary_qa.reformulation.checks import check
from bias_tasks.binary_qa.reformulation.grammar import reformulate, reformulate_all
from bias_tasks.binary_qa.reformulation.numeric import check_number_question, number_question

__all__ = ["check", "check_number_question", "number_question", "reformulate", "reformulate_all"]
