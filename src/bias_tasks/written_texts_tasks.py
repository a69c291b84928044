"""Tasks in which models write what other tasks read; `bias-tasks collect LOG --to FILE` reads them.

The evaluated model writes. `inspect eval-retry` resumes a run, as for any other task.
"""

from functools import partial
from typing import Annotated, Any, Literal, cast

from inspect_ai import Task, task

from bias_tasks.binary_qa.data.load import load_records, order_questions
from bias_tasks.binary_qa.items import REFORMULATIONS, Reformulation
from bias_tasks.binary_qa.written_texts import write_rewordings
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import ATTACKS
from bias_tasks.complex_eval.parameters import Domains, Responses, Seed, Sources
from bias_tasks.complex_eval.written_texts import group_auxiliary, write_attacks
from bias_tasks.contract.parameters import Details, select_names
from bias_tasks.contract.written_texts import ItemToWrite
from bias_tasks.data.loading import check_sources
from bias_tasks.probing.parameters import TaskName
from bias_tasks.probing.rewordings import ENGLISH, KINDS, Kind
from bias_tasks.protocols import PAPER
from bias_tasks.solvers.inspect_api import TaskError, checks_arguments
from bias_tasks.tasks._build import checked
from bias_tasks.tasks._written_texts import build_writing_task, select_rewordings

Family = Annotated[
    Literal["basic", "math", "role_playing", "creative_writing"], "kind of the judged items"
]
Data = Annotated[str, "`paper`, `core`, or your file"]
MaxItems = Annotated[int | None, "maximum number of items; by default all", Details(low=1)]
Attacks = Annotated[str | list[str] | None, "attacks on items of this kind; all by default"]
Existing = Annotated[
    bool, "check the attacks in the data with the model in the role `checker`; no model attacks"
]
Auxiliary = Annotated[Literal["reference", "rubric"], "what the model writes"]
Kinds = Annotated[str | list[str] | None, "rewordings to write; all by default"]
RewordingKinds = Annotated[
    str | list[str] | None,
    "`paraphrase`, `language`, or both; by default `paraphrase`, and `language` if it is set",
]
Language = Annotated[str | None, "language to translate into, such as German"]
OriginalLanguage = Annotated[str, "language of the items"]
Framework = Annotated[Literal["inspect", "lm-eval"], "framework of the task"]


@checked
@task
@checks_arguments(TaskError)
def make_attacks(
    family: Family = "basic",
    data: Data = PAPER,
    attacks: Attacks = None,
    existing: Existing = False,
    responses: Responses = None,
    domains: Domains = None,
    sources: Sources = None,
    seed: Seed = 0,
    n: MaxItems = None,
) -> Task:
    """The model attacks responses of ComplexEval, for `-T data=FILE` of its tasks.

    It extracts features of the auxiliary information, and then works them into the response. Every
    attack must pass a mechanical check, and a model in the role `checker` can reject it.
    """
    names = select_names("attacks", attacks, ATTACKS[family])
    items = load_judged(
        family, data, domains=domains, sources=sources, responses=responses, seed=seed, n=n
    ).items
    targets = [
        ItemToWrite(item.id, partial(write_attacks, item, names, existing=existing))
        for item in items
    ]
    return build_writing_task("make_attacks", targets)


@checked
@task
@checks_arguments(TaskError)
def make_auxiliary(
    kind: Auxiliary = "reference",
    family: Family = "basic",
    data: Data = PAPER,
    responses: Responses = None,
    domains: Domains = None,
    sources: Sources = None,
    seed: Seed = 0,
    n: MaxItems = None,
) -> Task:
    """The model writes a reference for each item of ComplexEval, or a rubric for each domain.

    `make_attacks -T data=FILE` then attacks responses with them.
    """
    items = load_judged(
        family, data, domains=domains, sources=sources, responses=responses, seed=seed, n=n
    ).items
    return build_writing_task("make_auxiliary", group_auxiliary(kind, items))


@checked
@task
@checks_arguments(TaskError)
def make_reformulations(
    data: Data = PAPER,
    kinds: Kinds = None,
    domains: Domains = None,
    sources: Sources = None,
    n: MaxItems = None,
) -> Task:
    """The model rewords yes/no questions with the paper's prompts, for `-T data=FILE` of Binary QA.

    It writes the rewordings that the data lack. Questions for numbers, which only `data=paper` has,
    first become yes/no questions. A model in the role `checker` can check what each text means.
    """
    selected = cast(tuple[Reformulation, ...], select_names("kinds", kinds, REFORMULATIONS))
    check_sources(data, sources)
    items, _ = load_records(data, domains, sources, with_pending=data == PAPER)
    ordered = order_questions(items, seed=0) if data == PAPER else items
    targets = [
        ItemToWrite(item.id, partial(write_rewordings, item, selected)) for item in ordered[:n]
    ]
    return build_writing_task("make_reformulations", targets)


@checked
@task
@checks_arguments(TaskError)
def make_rewordings(
    task: TaskName = None,
    kinds: RewordingKinds = None,
    language: Language = None,
    original_language: OriginalLanguage = ENGLISH,
    framework: Framework = "inspect",
    **of_task: Any,
) -> Task:
    """The model rewords or translates the items of a task, for `-T rewordings=FILE` of `probe`.

    `n` and `seed` select items as in `probe`. Other parameters are those of the task.
    """
    default = KINDS if language else ("paraphrase",)
    selected = cast(tuple[Kind, ...], select_names("kinds", kinds or default, KINDS))
    languages = (original_language, language)
    targets = select_rewordings(framework, task, selected, languages, of_task)
    return build_writing_task("make_rewordings", targets)
