"""The README: its commands are there, and its figures are those of the tasks.

`test_page_commands.py` runs its blocks, and `tools/smoke.sh` too, with the installed package.
"""

import re

from bias_tasks.commands.profile import read_profile
from bias_tasks.contract.metrics import find_metric_spec
from bias_tasks.families import FAMILY_NAMES, family_of_task, load_family
from tests.bias_tasks.paper_coverage import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
RESULTS = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


COMMANDS = [
    line
    for block in [*blocks("sh"), *blocks("bash")]
    for line in block.replace("\\\n", " ").splitlines()
    if not line.startswith(("make ", "pip install .", "#"))
]


def test_two_commands_near_the_top_set_up_everything():
    """The CI calls the second as it stands there, and the smoke test skips both."""
    top = "\n".join(README.splitlines()[:30])
    assert "```bash\nmake demo\nmake test\n```\n" in top
    makefile, ci, smoke = (
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("Makefile", ".ci/run", "tools/smoke.sh")
    )
    for target in ("demo", "test"):
        assert re.search(rf"^{target}: \$\(INSTALLED\)$", makefile, re.M), target
    assert "make test" in ci.splitlines()
    assert "grep -vE '^(make|" in smoke


def headlines(page):
    """The figures of a page's table of headlines, with their arrows."""
    return {
        name: arrow
        for names, arrow in re.findall(
            r"^\| ((?:`[\w/]+`(?:, )?)+) ([↑↓])(?: \([\w ]+\))? \|", page, re.M
        )
        for name in re.findall(r"`([\w/]+)`", names)
    }


def test_every_headline_says_what_its_values_mean():
    better = {
        task.headline[0]: find_metric_spec(task.headline[0], family.metrics).better
        for family in map(load_family, FAMILY_NAMES)
        for task in family.tasks.values()
    }
    arrows = {name: {"higher": "↑", "lower": "↓"}[way] for name, way in better.items()}
    assert headlines(RESULTS).items() >= arrows.items()
    of_profile = {family_of_task(task).tasks[task].headline[0] for task in read_profile()["tasks"]}
    assert headlines(README).items() <= headlines(RESULTS).items()
    assert of_profile <= headlines(RESULTS).keys()
    assert len(README.splitlines()) <= 120


def test_every_task_is_next_to_its_headline():
    """The row of a headline names its tasks, or the suite."""
    rows = [line.split(" | ") for line in RESULTS.splitlines() if re.match(r"\| `\w", line)]
    tasks = {name: row[1] for row in rows for name in re.findall(r"`([\w/]+)`", row[0])}
    for family in map(load_family, FAMILY_NAMES):
        suite = family.name.replace("_", " ")
        for task in family.tasks.values():
            named = tasks[task.headline[0]]
            assert f"`{task.name}`" in named or suite in named.lower(), task.name


def test_the_first_commands_need_no_key_and_no_network():
    assert COMMANDS[0].startswith("inspect eval bias_tasks/conformity --model simulated/")
    assert any(command.startswith("bias-tasks profile ") for command in COMMANDS)
    sources = {row["parameters"]["data"] for row in read_profile()["tasks"].values()}
    assert sources == {"core", "hard"}  # in the package, or made by it
    for command in COMMANDS:
        task = re.match(r"inspect eval bias_tasks/(\w+)", command)
        if task and task[1] != "probe":
            parameters = family_of_task(task[1]).tasks[task[1]].parameters
            [default] = [one.default for one in parameters if one.name == "data"]
            assert "data=core" in command or default == "core", command
