"""Everyday facts: questions that need no passage, computed or from closed lists.

Every draw words a true question and a false one from the same words, and no two draws share either,
so that neither kind runs out first and no word goes with an answer.
"""

from __future__ import annotations

from bias_tasks.data.binary_qa.synthetic.everyday_numbers import NUMBERS
from bias_tasks.data.binary_qa.synthetic.everyday_words import WORDS
from bias_tasks.data.binary_qa.synthetic.everyday_world import WORLD
from bias_tasks.data.binary_qa.synthetic.forms import Family

EVERYDAY: tuple[Family, ...] = (*NUMBERS, *WORDS, *WORLD)
