"""A system message in front that says nothing of the question."""

from __future__ import annotations

import random

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import Probe

SYSTEMS = (
    "You are a helpful assistant.",
    "You are a careful assistant. Answer exactly in the format you are asked for.",
    "Answer as well as you can.",
)
PERSONAS = (
    "You are a primary school teacher.",
    "You are an accountant in a small town.",
    "You are a retired sailor.",
    "You are a student in your first year.",
)


class System(Probe):
    """One of a few common system messages."""

    name = "system"
    meaning = "a common system message in front (`You are a helpful assistant.` and the like)"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One of them."""
        return Asked(system=rng.choice(SYSTEMS))


class Persona(Probe):
    """A part that has nothing to do with the question."""

    name = "persona"
    meaning = "a system message that gives the model a part, such as a retired sailor's"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One of the parts."""
        return Asked(system=rng.choice(PERSONAS))
