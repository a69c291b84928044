"""The model roles that tasks ask, and a word about one that is misspelt."""

from __future__ import annotations

import logging

from inspect_ai.model import model_roles

from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.judging.self_preference import JURY_ROLE, OTHER_ROLE
from bias_tasks.names import nearest
from bias_tasks.scorers.outcome import GRADER

ROLES = (GRADER, POLISHER, OTHER_ROLE, JURY_ROLE)

logger = logging.getLogger(__name__)


def tell_misspelt_roles() -> None:
    """Warn of a role that nothing asks, whose name is near to one that is not given.

    The host takes any name: a judge in the role `gradr` is never asked. It is no error, since other
    solvers and scorers may have roles of their own.
    """
    given = model_roles()
    for role in given:
        near = nearest(role, ROLES)
        if role not in ROLES and near is not None and near not in given:
            logger.warning("no task asks a model in the role %r: did you mean %r?", role, near)
