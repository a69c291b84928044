"""Everyday facts: questions that need no passage, computed or from closed lists.

Yes and No questions have the same words equally often, and closed lists hold as many of each, so
that neither runs out first in long runs.
"""

from __future__ import annotations

from bias_tasks.data.binary_qa.synthetic.everyday_numbers import NUMBERS
from bias_tasks.data.binary_qa.synthetic.everyday_words import WORDS
from bias_tasks.data.binary_qa.synthetic.everyday_world import WORLD
from bias_tasks.data.binary_qa.synthetic.forms import Family

EVERYDAY: tuple[Family, ...] = (*NUMBERS, *WORDS, *WORLD)
