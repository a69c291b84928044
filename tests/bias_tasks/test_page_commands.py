"""Every command of a ```bash block of the README and the pages runs as written, in order.

A ```console block behind a ```bash block shows the output of its last command. Its lines occur in
the output in this order, apart from numbers and widths, since other numbers of items are asked
here; `...` stands for lines that the page leaves out. Blocks of a tab are indented; they count too.

Each page has a folder that holds what it says: the checkout's `examples` and files of the reader's
own. Simulated models stand in for real ones, and few items are asked.
"""

import glob
import json
import os
import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from inspect_ai._cli.main import inspect as inspect_command

import bias_tasks.simulated.lm_eval_model  # noqa: F401  `--model simulated` of lm-eval
from bias_tasks.families import FAMILY_NAMES
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import typed as typed_lm_eval
from tests.bias_tasks.paper_coverage import ROOT, check_command

N = 8
"""Items that a command asks instead of its own number."""
SUBSTITUTES = {
    # Real models need a network. A model with its server's address comes before one without.
    r"openai-api(?:-completions)?/local/NAME --model-base-url URL/v1": "simulated/steadfast",
    r"(?:openai|anthropic|google|mistral)/[\w.-]+": "simulated/steadfast",
    r"simulated/steadfast,simulated/steadfast": "simulated/steadfast,simulated/conformist",
    r"--model (?:hf|vllm|local-\S+|openai-\S+) --model_args \S+": (
        "--model simulated --model_args persona=steadfast"
    ),
    r"--model local-completions (.*) --model_args \S+": (
        r"--model simulated \1 --model_args persona=steadfast"
    ),
    r" --apply_chat_template": "",  # The simulated model has no template.
    # So do other evaluations' data sets.
    r"inspect_evals/mmlu_0_shot(?: -T subjects=\w+)?": "examples/sums.py@sums",
    r"inspect_evals/gsm8k": "examples/sums.py@free_sums",
    # And the papers' items, which some tasks ask by default.
    r"data=gsm8k -T prompting=zs_cot": "data=core",
    r"plan conformity( binaryqa)?(?!.*data=)": r"plan conformity\1 -T data=core",
    # Few items make the test fast.
    # Formats are compared from 10 answers on; n=20 is few enough.
    r"\bn=(?:(?!20\b)\d+|all)\b": f"n={N}",
    r"--budget 500 --formats \d+": "--budget 60 --formats 5",
    r"--total 560": "--total 12",
    r"bias-tasks profile": "bias-tasks profile --calls 170",
}
"""What stands in for what a machine without a network has not, by pattern, in this order."""
NOT_RUN = {
    r"^pip install ": "installs a package; the packages of all extras are installed here",
    r"flow run |bias-tasks results logs/flow": "needs inspect-flow, which is no dependency",
    r"sbatch |bias-tasks results \$LOGS": "needs Slurm; test_slurm.py runs the workers",
    r"bias-tasks reformulate ": "a model writes texts; test_reformulate.py runs it",
    r"bias-tasks attack ": "a model writes texts; test_attack.py runs it",
    r"bias-tasks reword arc_easy |lm_eval .*(?:arc_easy|mmlu_anatomy)": "downloads the data set",
    r"lm_eval --tasks format_(?:wrapping_gsm8k|core) ": "downloads the papers' items",
    r"bias-tasks plan .*--detect": "takes a minute; test_plan_power.py runs one with few items",
    r"inspect eval .*data=judgebench_gpt": "downloads JudgeBench",
    r"inspect eval .*--model-role other=anthropic": "the page has it with simulated models below",
    r"lm_eval --tasks my_statements ": "test_own_task_metrics.py runs the task",
}
"""Commands that do not run here, by pattern, with the reason."""
FILES = {
    "questions.jsonl": "binary_qa.jsonl",
    "reworded.jsonl": "binary_qa.jsonl",  # what `reformulate` writes
    "train.jsonl": "output_format.jsonl",
}
"""Files of the reader's own, and those written by commands that do not run here, by example."""


def read_page(page):
    """The text of a page, with the indented code blocks of its tabs moved to the margin."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^( +)```.*?^\1```", lambda block: dedent(block[0]), text, flags=re.M | re.S)


def read_commands(page):
    """The commands of a page's ```bash blocks, one per line."""
    blocks = re.findall(r"^```bash\n(.*?)^```", read_page(page), re.M | re.S)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if shlex.split(line, comments=True)]


def read_outputs(page):
    """The lines of output that a page shows, by the command."""
    blocks = re.findall(
        r"^```bash\n(.*?)^```\n\s*^```console\n(.*?)^```",
        read_page(page),
        re.M | re.S,
    )
    return {
        commands.replace("\\\n", " ").strip().splitlines()[-1]: shown.splitlines()
        for commands, shown in blocks
    }


def mask_numbers(line):
    """A line without numbers, rules of tables and widths of columns."""
    return " ".join(re.sub(r"[-+<]?\d[\d.,]*|[─━│┃┏┓┗┛┡┩┳┻╇┴┬┌┐└┘├┤╭╮╰╯-]+", " # ", line).split())


def assert_shows(output, shown):
    """Assert that lines occur in an output in their order."""
    lines = iter([mask_numbers(line) for line in output.splitlines()])
    for line in shown:
        masked = mask_numbers(line)
        if line.strip() != "..." and set(masked) - {"#", " "}:
            assert masked in lines, f"{line!r} is not in the output, or not there:\n{output}"


PAGES = {
    page.stem: commands
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
    if (commands := read_commands(page))
}


OUTPUTS = {page.stem: read_outputs(page) for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]}


def runs_elsewhere(page, command):
    """Whether test_examples.py runs it: the examples of the families' pages."""
    return page in FAMILY_NAMES and re.match(r"(?:inspect eval|lm_eval) .*examples/", command)


def substitute(command):
    """The words of a command, with stand-ins for what needs a network."""
    for pattern, replacement in SUBSTITUTES.items():
        command = re.sub(pattern, replacement, command)
    words = []
    for word in shlex.split(command, comments=True):
        words += sorted(glob.glob(word)) or [word]
    return words


def run_command(words):
    """Run one command in this process; return its exit status and output."""
    program, *arguments = words
    if program == "inspect":
        if arguments[0] == "eval" and not {"n", "shard"} & {
            value.partition("=")[0] for flag, value in pairwise(arguments) if flag == "-T"
        }:
            arguments += ["-T", f"n={N}"]
        done = CliRunner().invoke(inspect_command, [*arguments, "--display", "none"])
        return done.exit_code, f"{done.output}\n{done.exception!r}"
    if program == "lm_eval":
        if "--metadata" not in arguments:
            arguments += ["--metadata", "{}"]
        place = arguments.index("--metadata") + 1
        arguments[place] = json.dumps({"n": N} | json.loads(arguments[place]) | {"n": N})
        done = typed_lm_eval(*arguments)
        return done.returncode, done.stdout + done.stderr
    assert program == "bias-tasks"
    done = typed(*arguments)
    return done.exit_code, f"{done.output}\n{done.exception!r}"


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page_run_as_written(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INSPECT_LOG_DIR", raising=False)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name, example in FILES.items():
        if any(name in command for command in PAGES[page]):
            shutil.copy(ROOT / "examples" / example, name)
    outputs = OUTPUTS[page]
    for command in PAGES[page]:
        if command.startswith("export "):
            for assignment in shlex.split(command, comments=True)[1:]:
                name, _, value = assignment.partition("=")
                monkeypatch.setenv(name, os.path.expandvars(value))
        elif any(re.search(pattern, command) for pattern in NOT_RUN):
            if command.startswith("bias-tasks "):
                check_command(SimpleNamespace(command=command.partition("  #")[0]))
        elif not runs_elsewhere(page, command):
            status, output = run_command(substitute(command))
            assert status == 0, f"{command}\n{output[-3000:]}"
            if command in outputs:
                assert_shows(output, outputs[command])


def test_every_exception_has_a_command():
    """A substitute or an exception that no page needs is removed."""
    commands = [command for commands in PAGES.values() for command in commands]
    unused = [
        pattern for pattern in NOT_RUN if not any(re.search(pattern, line) for line in commands)
    ]
    for pattern, replacement in SUBSTITUTES.items():
        changed = [re.sub(pattern, replacement, command) for command in commands]
        unused += [pattern] if changed == commands else []
        commands = changed
    assert not unused
    assert all(any(name in command for command in commands) for name in FILES)
    assert {Path(example).name for example in os.listdir(ROOT / "examples")} >= set(FILES.values())
