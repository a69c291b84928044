"""Writes what the families declare into pages and files: tables, lists and files of tasks.

A table of a page is between `<!-- metrics -->`, `<!-- parameters -->` or another such mark and
`<!-- end -->`. Example prompts (`example_prompts.py`) and worked cases (`worked.py`) that are not
on a family's page are written to `docs/reference/`. `page_blocks.py` writes the list of tasks and
the summary of the benchmarks. Run by `make tables`; with `--check` it changes nothing and fails if
a file is stale.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from example_prompts import build_reference as build_prompts
from example_prompts import with_prompts
from page_blocks import PAGES as BLOCK_PAGES
from page_blocks import with_blocks
from plan_tables import calls
from register import listing, register
from worked import build_reference as build_cases
from worked import with_worked_cases

from bias_tasks.contract.family import Family
from bias_tasks.contract.metrics import MetricSpec
from bias_tasks.contract.parameters import Parameter
from bias_tasks.families import FAMILY_NAMES, PROBING, load_family
from bias_tasks.instruction_boundary.items import FORMS
from bias_tasks.instruction_boundary.settings import SETTINGS
from bias_tasks.probing.probes import PROBES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "bias_tasks"
CONFIGS = PACKAGE / "task_configs"
_TABLE = re.compile(r"<!-- (metrics|parameters|calls) -->\n.*?<!-- end -->", re.DOTALL)
PAGES = {name: name for name in FAMILY_NAMES} | {PROBING: "probe"}
"""The name of each family's page, by the name of the family."""
_PROMPTS = "<!-- prompts: written by `make tables`, all that follows -->"
_INTRODUCTION = """One item of a task as the model sees it; [...] marks omitted text. The first
variant is complete, and the others have the lines that differ from it."""
_BETTER = {None: "", "higher": " ↑", "lower": " ↓"}
_UNIT_HEAD = "unit and range (shares: 0 to 1)"
_GROUP_COMMENT = """# Without multi_turn and pushback, which need the first round's samples.
# One row per setting, its headline. There is no mean: settings share items, and lm-eval would take
# their errors for independent.
"""
_EVERYWHERE = {"seed", "shard", "items", "judge_usage"}
"""Parameters and metrics of every family; docs/get_started.md explains them once."""


def metrics(family: Family) -> str:
    """Return the metrics with their better direction, meaning, source, unit and range.

    Metrics of judges that mean the same for any probed task are on the page of probes alone.
    """
    probed = {(spec.name, spec.meaning) for spec in load_family(PROBING).metrics}
    shared = {spec.name for spec in family.metrics if (spec.name, spec.meaning) in probed}
    shared -= {"unparsed"}
    specs = [
        spec
        for spec in family.metrics
        if spec.name not in _EVERYWHERE and (family.name == PROBING or spec.name not in shared)
    ]
    rows = (
        (f"`{_path(spec)}`{_BETTER[spec.better]}", _meaning(spec), _unit(spec)) for spec in specs
    )
    head = ("metric (better: ↑ higher, ↓ lower)", "meaning", _UNIT_HEAD)
    return _table(head, rows)


def parameters(family: Family) -> str:
    """Return the parameters with their values, default, meaning, and the tasks that have them."""
    tasks: dict[tuple[str, str, str, str], list[str]] = {}
    for spec in family.tasks.values():
        for parameter in spec.parameters:
            # Tasks can have a parameter with the same name, but other values or another default.
            values = re.sub(r"^(?:an?|one of) ", "", parameter.expected)
            if parameter.name not in _EVERYWHERE and not _is_fixed(parameter):
                key = (f"`{parameter.name}`", values, _default(parameter), parameter.meaning)
                tasks.setdefault(key, []).append(spec.name)
    rows = (
        (*key, meaning.removeprefix(f"{names[0]}: "), _list_tasks(names, family))
        for (*key, meaning), names in tasks.items()
    )
    head = ("parameter", "values", "default", "meaning")
    prefix = f"{next(iter(family.tasks)).partition('_')[0]}_"
    if not all(name.startswith(prefix) for name in family.tasks):
        return _table((*head, "tasks"), rows)
    short_rows = ((*row, cell.replace(f"`{prefix}", "`")) for *row, cell in rows)
    return _table((*head, f"tasks (`{prefix}…`)"), short_rows)


def page(family: Family, text: str) -> str:
    """Return a family's page with its tables, prompts and worked cases written anew."""
    makers: dict[str, Callable[[Family], str]] = {
        "metrics": metrics,
        "parameters": parameters,
        "calls": calls,
    }
    for kind in ("metrics", "parameters"):  # calls are on some pages only
        if [match[1] for match in _TABLE.finditer(text)].count(kind) != 1:
            raise SystemExit(
                f"docs/{PAGES[family.name]}.md: expected one table <!-- {kind} --> … <!-- end -->"
            )
    text = _TABLE.sub(
        lambda match: f"<!-- {match[1]} -->\n{makers[match[1]](family)}\n<!-- end -->", text
    )
    return with_worked_cases(family.name, with_prompts(family.name, text))


def reference(family: str, text: str) -> str:
    """Return a family's reference: its own beginning, and what its page does not have."""
    page = (ROOT / "docs" / f"{family}.md").read_text(encoding="utf-8")
    written = build_prompts(family, page) + build_cases(family, page)
    beginning = text.partition(_PROMPTS)[0] or f"# Reference: [`{family}`](../{family}.md)\n\n"
    if not written:
        return beginning if text else ""
    return f"{beginning}{_PROMPTS}\n{_INTRODUCTION}\n\n{written}"


def probes(text: str) -> str:
    """Return the page of probes with its table of probes written anew."""
    rows = (
        (f"`{name}`", _format_summary(probe.summary), "yes" if probe.needs_written_answer else "")
        for name, probe in PROBES.items()
    )
    table = _table(("probe", "what it changes", "works only with generated answers"), rows)
    text = re.sub(
        r"<!-- probes -->\n.*?<!-- end -->",
        lambda _: f"<!-- probes -->\n{table}\n<!-- end -->",
        text,
        flags=re.DOTALL,
    )
    return page(load_family(PROBING), text)


def _format_summary(summary: str) -> str:
    """Return a probe's summary as a cell."""
    return summary[:1].lower() + summary[1:].removesuffix(".")


def stub(text: str) -> str:
    """Return the package's type stub, whose sorted imports include every task.

    A task with the name of a family is not imported: the name is that of the family's package.
    """
    head, *imports = re.split(r"^(?=from )", text, flags=re.MULTILINE)
    families = (*FAMILY_NAMES, PROBING)
    others = [
        each for each in imports if not re.match(rf"from \.(?:{'|'.join(families)})_tasks ", each)
    ]
    tasks = [
        f"from .{family}_tasks import (\n    {task} as {task},\n)\n"
        for family in families
        for task in load_family(family).tasks
        if task not in FAMILY_NAMES
    ]
    return head + "".join(sorted([*others, *tasks]))


def task_configs() -> dict[Path, str]:
    """Return the files of lm-eval tasks that differ in names alone, by path.

    There is one per setting and form, and a group per form. Multi-turn takes two runs, so that its
    files are written by hand.
    """
    folder = CONFIGS / "instruction_boundary"
    settings = [setting for setting in SETTINGS if setting != "multi_turn"]
    tasks = {
        folder / f"ib_{setting}_{form}.yaml": (
            f"include: _instruction_boundary.yaml\ntask: ib_{setting}_{form}\n"
            f"dataset_kwargs:\n  task: {setting}\n  form: {form}\n"
        )
        for setting in settings
        for form in FORMS
    }
    return tasks | {folder / f"ib_{form}.yaml": _settings_group(form, settings) for form in FORMS}


def _settings_group(form: str, settings: Iterable[str]) -> str:
    """Return the file of a group of lm-eval: the headlines of all settings in one form."""
    family = load_family("instruction_boundary")
    rows = (
        f"  - group: {setting}_headline\n"
        f"    task: [ib_{setting}_{form}]\n"
        f"    aggregate_metric_list: [{{metric: {family.tasks[setting].headline[0]}, "
        f"weight_by_size: false}}]\n"
        f"    metadata: {{version: {family.version}}}\n"
        for setting in settings
    )
    return (
        f"{_GROUP_COMMENT}group: ib_{form}\ntask:\n{''.join(rows)}"
        f"metadata:\n  version: {family.version}\n"
    )


def _replace(_: str, new_text: str) -> str:
    return new_text


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def _meaning(spec: MetricSpec) -> str:
    """Return what a metric means, and its source."""
    return spec.meaning + (f" ({spec.source.replace('section ', '§ ')})" if spec.source else "")


def _path(spec: MetricSpec) -> str:
    """Return a metric's name with an ellipsis for each part that follows it."""
    n_required = min(spec.parts)
    return spec.name + "/…" * n_required + ("[/…]" if max(spec.parts) > n_required else "")


def _unit(spec: MetricSpec) -> str:
    if spec.unit == "verdict":
        return "verdict, 0 or 1"
    if (spec.unit, spec.low, spec.high) in (("share", 0, 1), ("difference", -1, 1)):
        return spec.unit
    low, high = ("" if math.isinf(bound) else f"{bound:g}" for bound in (spec.low, spec.high))
    if low and high:
        return f"{spec.unit}, {low} to {high}"
    return f"{spec.unit}, from {low}" if low else spec.unit


def _is_fixed(parameter: Parameter) -> bool:
    """Return whether a parameter has only one value."""
    return parameter.kind == "text" and len(parameter.values) == 1


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is None else f"`{parameter.default}`"


def _list_tasks(names: list[str], family: Family) -> str:
    """Return the tasks that have a parameter, or those that lack it if they are fewer."""
    others = [name for name in family.tasks if name not in names]
    if not others:
        return "all"
    if len(others) < len(names):
        return f"all but {_list_names(others)}"
    return _list_names(names)


def _list_names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def main() -> int:
    """Write the files, or check them."""
    makers: dict[Path, Callable[[str], str]] = {
        **{
            (ROOT / "docs" / f"{name}.md").resolve(): partial(with_blocks, makers=blocks)
            for name, blocks in BLOCK_PAGES.items()
        },
        PACKAGE / "eval.yaml": listing,
        ROOT / "docs" / "register.yaml": register,
        PACKAGE / "__init__.pyi": stub,
        **{path: partial(_replace, new_text=text) for path, text in task_configs().items()},
        **{
            ROOT / "docs" / f"{name}.md": partial(page, load_family(family))
            for family, name in PAGES.items()
            if family != PROBING
        },
        ROOT / "docs" / f"{PAGES[PROBING]}.md": probes,
        **{
            ROOT / "docs" / "reference" / f"{name}.md": partial(reference, name)
            for name in FAMILY_NAMES
        },
    }
    only_checks = "--check" in sys.argv
    stale = []
    for path, make in makers.items():
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        new_text = make(text)
        if new_text != text:
            stale.append(str(path.relative_to(ROOT)))
            if not only_checks and new_text:
                path.write_text(new_text, encoding="utf-8")
            elif not only_checks:
                path.unlink()
    if stale:
        print(f"{'stale, run make tables' if only_checks else 'written'}: {', '.join(stale)}")
    return int(bool(stale) and only_checks)


if __name__ == "__main__":
    sys.exit(main())
