"""The tasks of the profile on a chat model that answers from files, such as a chat without an API.

`write` writes the prompts of about 60 items a task. Each file has one variant, so that a
conversation that reads one file of a task sees no item twice; the files `-2` have the second
messages of the chats in the files `-1`. Answers are in files with the suffix `.answers`, one line
`number answer` for each prompt. `score` parses them as a run would, and prints the metrics and each
answer that is not right. `benchmarks/studies/chat_model_answers` has the answers of Claude, which
was asked to answer at once.

    python -m benchmarks.studies.chat_model write FOLDER
    python -m benchmarks.studies.chat_model score FOLDER
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from bias_tasks.commands.profile import read_profile
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Question
from bias_tasks.digests import digest
from bias_tasks.families import family_of_task

ITEMS = {"judge_pairwise": 90}
DEFAULT_ITEMS = 60
"""Items of a task; pairs of judges have few under each edit."""
FIRST_ITEM = {"pushback": DEFAULT_ITEMS}
"""Where the items of a task begin: those of `pushback` are not those of `conformity`."""
LINE = re.compile(r"^\s*(\d+)[.:)]?[ \t]+(.*)$", re.MULTILINE)
Call = tuple[Question, int, str]
"""A question, the number of the message in its chat, and the message."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["write", "score"])
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    for task in read_profile()["tasks"]:
        (write if args.action == "write" else score)(task, args.folder)


def task_values(task: str) -> ParameterValues:
    """Return the parameters of a task; yes/no questions are asked for `nrc` alone."""
    row, spec = read_profile()["tasks"][task], family_of_task(task).tasks[task]
    added = {"full_share": 0.0} if "full_share" in row["parameters"] else {}
    return spec.values({**row["parameters"], **added, "n": row["n"]})


def list_files(task: str) -> dict[str, list[Call]]:
    """Return the calls of each file, by its name without a suffix."""
    family = family_of_task(task)
    plan = family.plan(task, task_values(task))
    items = list(dict.fromkeys(question.item for question in plan.questions))
    first = FIRST_ITEM.get(task, 0)
    selected = {*items[first : first + ITEMS.get(task, DEFAULT_ITEMS)]}
    files: dict[str, list[Call]] = {}
    for question in plan.questions:
        if question.item in selected:
            later = [each.prompt for each in family.requests(question, "") if each.continues]
            for turn, message in enumerate([question.prompt, *later]):
                # The name must not tell the variant.
                name = f"{digest(task, question.variant)[:8]}-{turn + 1}"
                files.setdefault(name, []).append((question, turn, message))
    return files


def write(task: str, folder: Path) -> None:
    """Write the prompts of a task."""
    for name, calls in list_files(task).items():
        prompts = [f"## {number}\n\n{message}" for number, (*_, message) in enumerate(calls, 1)]
        (folder / f"{name}.md").write_text("\n\n".join(prompts), encoding="utf-8")


def score(task: str, folder: Path) -> None:
    """Print the metrics of the answers to a task, and the answers that are not right."""
    metrics = family_of_task(task).compute_metrics(score_answers(task, folder), task_values(task))
    print(f"\n{task}")
    for name, estimate in metrics.items():
        print(
            f"  {name:40} {estimate.value:8.3f} ({estimate.ci_low:.3f} to {estimate.ci_high:.3f})"
            f" n={estimate.n}"
        )


def score_answers(task: str, folder: Path) -> list[AnyOutcome]:
    """Return the outcomes of the answers to a task."""
    family = family_of_task(task)
    chats: dict[str, list[str]] = {}
    questions: dict[str, Question] = {}
    for name, calls in sorted(list_files(task).items()):
        text = (folder / f"{name}.answers").read_text(encoding="utf-8")
        answers = {int(match[1]): match[2].strip() for match in LINE.finditer(text)}
        for number, (question, _, _) in enumerate(calls, 1):
            questions[question.id] = question
            chats.setdefault(question.id, []).append(answers.get(number, ""))
    outcomes: list[AnyOutcome] = []
    for name, (*earlier, last) in chats.items():
        question = questions[name]
        answer = Answer(
            last, prompt=question.prompt, earlier_rounds=tuple(Answer(each) for each in earlier)
        )
        outcome = family.score_answer(question.scoring_data, answer)
        outcomes.append(outcome)
        if outcome.score != 1 and task != "complexeval_basic":
            print(f"{question.id}: {earlier} {last!r} -> {outcome.answer} ({question.gold})")
    return outcomes


if __name__ == "__main__":
    main()
