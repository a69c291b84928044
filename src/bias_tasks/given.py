"""Values of an option that is given as NAME=VALUE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from bias_tasks.quoted import cut


def values_given(option: str, settings: Sequence[str]) -> dict[str, Any]:
    """The values of an option that is given as NAME=VALUE, read as YAML.

    Raises:
        ValueError: one is not NAME=VALUE.
    """
    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise ValueError(f"{option} {cut(setting)}: expected NAME=VALUE")
        try:
            values[name] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # such as a 13th month
            raise ValueError(f"{option} {cut(setting)}: the value can't be read") from error
    return values
