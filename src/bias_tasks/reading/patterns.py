"""How values are written and announced: the rows of `patterns.yaml`, as regular expressions."""

import re
from functools import cached_property
from importlib.resources import files

import yaml

_REFERENCE = re.compile(r"\{([a-z_]+)\}")


class Patterns:
    """The rows by name, read and compiled when they are first asked for."""

    @cached_property
    def rows(self) -> dict[str, str]:
        """Their texts, in which those of the rows above stand for their names."""
        rows: dict[str, str] = {}
        written = files(__package__).joinpath("patterns.yaml").read_text(encoding="utf-8")
        for name, row in yaml.safe_load(written).items():
            text = f"(?:{'|'.join(row)})" if isinstance(row, list) else "".join(row.splitlines())
            rows[name] = _REFERENCE.sub(lambda match: rows[match[1]], text)
        return rows

    def __getattr__(self, name: str) -> re.Pattern[str]:
        if name not in self.rows:
            raise AttributeError(f"patterns.yaml has no row {name!r}")
        compiled = re.compile(self.rows[name])
        setattr(self, name, compiled)
        return compiled


patterns = Patterns()
