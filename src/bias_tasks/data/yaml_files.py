"""Tables and word lists that stand as YAML files beside the code that uses them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def read_yaml(package: str, name: str) -> Any:
    """The content of a package's file `<name>.yaml`: mappings, lists, texts and numbers.

    It is read when it is first asked for, so that importing a module costs nothing, and shared by
    all who ask: nobody may change it.
    """
    text = files(package).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)  # inspect-evals-lint: ignore[host_code_execution] -- our files
