"""Unlimited generated items of every family, whose quality and errors are known by rule.

Everything follows from the seed: the same arguments give the same items on every machine, and the
first k of n items are those of a call with n = k. Nothing is fetched.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.data.synthetic.dialogues import scene_item
from bias_tasks.complex_eval.data.synthetic.texts import fact_pair, solution, story
from bias_tasks.complex_eval.items import JudgedItem, JudgedKind
from bias_tasks.data.synthetic.stream import stream

_Maker = Callable[[random.Random, str], JudgedItem]

_MAKERS: Mapping[JudgedKind, tuple[_Maker, tuple[str, ...]]] = {
    "basic": (fact_pair, ("missing", "wrong", "both")),
    "math": (solution, ("error", "error", "none")),
    "role_playing": (scene_item, ("scene",)),
    "creative_writing": (story, ("story",)),
}
"""How an item is made, and of which kinds in turn."""


def generate_judged(family: JudgedKind, n: int, seed: int) -> list[JudgedItem]:
    """Generated items, unattacked.

    - basic: the chosen response reports all that is asked for, the rejected one misses some,
      reports some wrongly, or both, in turn (`texts.fact_score` tells how good either is)
    - math: two of three solutions have exactly one planted error
    - role_playing: two to eight flaws are planted (`dialogues.find_flaws` finds them)
    - creative_writing: elements that were asked for are told in full, in brief or not at all
      (`texts.story_scores`)
    """
    make, kinds = _MAKERS[family]
    return list(stream(f"judged/{family}", seed, itertools.islice(itertools.cycle(kinds), n), make))
