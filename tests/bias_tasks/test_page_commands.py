"""Every ```bash and ```python block of the README and the pages runs as written, in order.

A ```console block behind a block shows the output of its last command; `print(...)  # text` in
Python shows it too. The lines occur in the output in this order, apart from widths; `...` stands
for lines that the page leaves out. Blocks of a tab are indented; they count too.

Each page has a folder that holds what it says: the checkout's `examples` and files of the reader's
own. Simulated models stand in for real ones.

`make test` asks few items, so it ignores the numbers of an output. `make outputs` asks as many as
the page and compares the numbers too: answers of simulated models depend on a seed only. Blocks
for which something stands in are as in `make test`.
"""

import glob
import io
import os
import re
import shlex
import shutil
from contextlib import redirect_stdout
from textwrap import dedent
from types import SimpleNamespace

import pytest

import bias_tasks.simulated.lm_eval_model  # noqa: F401  `--model simulated` of lm-eval
from bias_tasks.families import FAMILY_NAMES
from tests.bias_tasks.command_line import typed, typed_inspect
from tests.bias_tasks.harness_runs import typed as typed_lm_eval
from tests.bias_tasks.paper_coverage import EXACT, ROOT, check_command

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
    # The example that stands in for the reader's training items has few.
    r"--total 560": "--total 12",
}
"""What stands in for what a machine without a network has not, by pattern, in this order."""
FEWER_ITEMS = {
    # Formats are compared from 10 answers on; n=20 is few enough.
    r"\bn=(?:(?!20\b)\d+|all)\b": "n=8",
    r"^inspect eval (?!.* -T n=)": "inspect eval -T n=8 ",
    r'"n": \d+': '"n": 8',
    r"--metadata '{(?!.*\"n\")": '--metadata \'{"n": 8, ',
    r"^lm_eval (?!.*--metadata)": "lm_eval --metadata '{\"n\": 8}' ",
    r"bias-tasks profile": "bias-tasks profile --calls 110",
    r" --calls (?!110\b)\d+": "",  # The last one would count.
}
"""Few items make `make test` fast, by pattern, in this order."""
NOT_RUN = {
    r"^make ": "installs the checkout; test_readme.py looks for the targets",
    r"^pip install ": "installs a package; the packages of all extras are installed here",
    r"flow run |bias-tasks results logs/flow": "needs inspect-flow, which is no dependency",
    r"sbatch |bias-tasks results \$LOGS": "needs Slurm; test_slurm.py runs the workers",
    r"make_(?:attacks|reform)|collect logs/(?:attacks|reworded)": "tests/.../written_texts runs it",
    r"lm_eval .*(?:arc_easy|mmlu_anatomy)": "downloads the data set",
    r"inspect eval .*data=judgebench_gpt": "downloads JudgeBench",
    r"inspect eval .*--model-role other=anthropic": "the page has it with simulated models below",
    r"lm_eval --tasks my_statements ": "test_own_task_metrics.py runs the task",
}
"""Blocks and commands that do not run here, by pattern, with the reason."""
SLOW = {
    r"bias-tasks plan .*--detect": "takes ten seconds; test_plan_power.py runs one with few items",
}
"""Commands that run only if `EXACT`, by pattern, with the reason."""
FILES = {
    "questions.jsonl": "binary_qa.jsonl",
    "reworded.jsonl": "binary_qa.jsonl",  # what `make_reformulations` writes
    "train.jsonl": "output_format.jsonl",
}
"""Files of the reader's own, and those written by commands that do not run here, by example."""


def read_page(page):
    """The text of a page, with the indented code blocks of its tabs moved to the margin."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^( +)```.*?^\1```", lambda block: dedent(block[0]), text, flags=re.M | re.S)


def read_blocks(page):
    """The commands of each ```bash and ```python block of a page, and the lines of output shown.

    A command is one line, with Python code as `python -c CODE`.
    """
    for language, code, shown in re.findall(
        r"^```(bash|python)\n(.*?)^```$(?:\s*^```console\n(.*?)^```$)?",
        read_page(page),
        re.M | re.S,
    ):
        if language == "python":
            printed = re.findall(r"^print\(.*\)(?:  |\n)# (.*)$", code, re.M)
            yield [shlex.join(["python", "-c", code])], [*printed, *shown.splitlines()]
        else:
            lines = code.replace("\\\n", " ").splitlines()
            commands = [line for line in lines if shlex.split(line, comments=True)]
            yield commands, shown.splitlines()


def normalize(line, exact):
    """A line without rules of tables and widths of columns and, unless `exact`, its numbers."""
    rules = "─━│┃┏┓┗┛┡┩┳┻╇┴┬┌┐└┘├┤╭╮╰╯"
    ignored = f"[{rules}]+" if exact else rf"[-+<]?\d[\d.,]*|[{rules}-]+"
    return " ".join(re.sub(ignored, " # ", line).split())


def find_differences(output, shown, exact):
    """The shown lines that are not in an output, or not in their order."""
    lines = [normalize(line, exact) for line in output.splitlines()]
    differences = []
    for line in shown:
        text = normalize(line, exact)
        if line.strip() == "..." or not set(text) - {"#", " "}:
            continue
        if text in lines:
            lines = lines[lines.index(text) + 1 :]
        else:
            differences.append(line)
    return differences


PAGES = {
    page.stem: blocks
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
    if (blocks := list(read_blocks(page)))
}


def runs_elsewhere(page, command):
    """Whether test_examples.py runs it: Inspect's examples on the families' pages."""
    return page in FAMILY_NAMES and re.match(r"inspect eval .*examples/", command)


def substitute(command, substitutes):
    for pattern, replacement in substitutes.items():
        command = re.sub(pattern, replacement, command)
    return command


def split_words(command):
    """The words of a command, with the names of files for a pattern."""
    words = []
    for word in shlex.split(command, comments=True):
        words += sorted(glob.glob(word)) or [word]
    return words


def run_command(words):
    """Run one command in this process; return its exit status and output."""
    program, *arguments = words
    if program == "python":
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(arguments[1], "block", "exec"), {})
        return 0, printed.getvalue()
    if program == "lm_eval":
        done = typed_lm_eval(*arguments)
        return done.returncode, done.stdout + done.stderr
    done = {"inspect": typed_inspect, "bias-tasks": typed}[program](*arguments)
    return done.exit_code, f"{done.output}\n{done.exception!r}"


def run_block(page, commands, monkeypatch):
    """Run the commands of a block.

    Returns:
        The output of the last, None if it does not run here; and whether it is that of the page.
    """
    run = [substitute(command, SUBSTITUTES) for command in commands]
    exact = EXACT and run == commands
    if not exact:
        run = [substitute(command, FEWER_ITEMS) for command in run]
    not_run = NOT_RUN | ({} if exact else SLOW)
    for command, stand_in in zip(commands, run, strict=True):
        output = None
        if command.startswith("export "):
            for assignment in shlex.split(command, comments=True)[1:]:
                name, _, value = assignment.partition("=")
                monkeypatch.setenv(name, os.path.expandvars(value))
        elif any(re.search(pattern, command) for pattern in not_run):
            if command.startswith("bias-tasks "):
                check_command(SimpleNamespace(command=command.partition("  #")[0]))
        elif not runs_elsewhere(page, command):
            with monkeypatch.context() as patch:
                if not exact:
                    patch.setattr("bias_tasks.commands.profile._MIN_ITEMS", 2)
                status, output = run_command(split_words(stand_in))
            assert status == 0, f"{command}\n{output[-3000:]}"
    return output, exact


@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_a_page_run_as_written(page, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INSPECT_LOG_DIR", raising=False)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    if not EXACT:
        request.getfixturevalue("few_draws")
        few = {"_N_RUNS": 4, "_N_PAIR_RUNS": 2, "_MAX_QUESTIONS": 100}  # for minimum effects
        for name, number in few.items():
            monkeypatch.setattr(f"bias_tasks.commands.plan_power.{name}", number)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name, example in FILES.items():
        if any(name in command for commands, _ in PAGES[page] for command in commands):
            shutil.copy(ROOT / "examples" / example, name)
    problems = []
    for commands, shown in PAGES[page]:
        output, exact = run_block(page, commands, monkeypatch)
        if output is None:
            continue
        if differences := find_differences(output, shown, exact):
            problems += [f"{page}: not in the output, or not there:", *differences, ""]
            problems += [f"{page}: the output of {commands[-1]}", output]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def test_every_exception_has_a_command():
    """A substitute or an exception that no page needs is removed."""
    commands = [
        command for blocks in PAGES.values() for commands, _ in blocks for command in commands
    ]
    unused = [
        pattern
        for pattern in NOT_RUN | SLOW
        if not any(re.search(pattern, command) for command in commands)
    ]
    for pattern, replacement in (SUBSTITUTES | FEWER_ITEMS).items():
        changed = [re.sub(pattern, replacement, command) for command in commands]
        unused += [pattern] if changed == commands else []
        commands = changed
    assert not unused
    assert all(any(name in command for command in commands) for name in FILES)
    assert all((ROOT / "examples" / example).is_file() for example in FILES.values())
