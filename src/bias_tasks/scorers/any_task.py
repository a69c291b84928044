"""Label rates and consistency over rewordings for any task, ours or not."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Literal

from inspect_ai.scorer import CORRECT, INCORRECT, Metric, SampleScore, Score, Scorer, Target, metric
from inspect_ai.scorer import scorer as register_scorer
from inspect_ai.solver import TaskState

from bias_tasks.contract.family import Outcome
from bias_tasks.scorers.outcome import answer_in
from bias_tasks.solvers.inspect_host import ScorerError, known_as_logged, refusing
from bias_tasks.statistics.estimate import flatten

_NOTED = "label_rates"
"""Name in a score's metadata under which its outcome stands."""


@metric(scores="unreduced")
def label_figures() -> Metric:
    """The figures of `label_rates`, each with its 95 % interval and the samples it counts."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from bias_tasks.instruction_boundary.foreign import label_card

        noted = ((each.score.metadata or {}).get(_NOTED) for each in scores)
        outcomes = [Outcome.from_dict(each) for each in noted if each]
        return flatten(label_card(outcomes)) if outcomes else {}

    return compute


@register_scorer(metrics=[label_figures()])
@refusing(ScorerError)
def label_rates(
    tense: list[str],
    sparse: list[str],
    read: Literal["choice", "judging", "yes_no"] | Callable[[str], str | None] | None = None,
    cluster: str = "cluster",
) -> Scorer:
    """Is a task's usual answer right more often than its rare one? (Instruction Boundary, 2.2)

    `acc` is the share of right answers, `sr` that over samples whose right label is tense, `gr`
    over sparse ones (each also by `/<label>`), `rs` the harmonic mean of both; `or/<label>` is how
    often a label is answered (`or/invalid`: none of them), `unread` how often nothing can be read.

    The target of a sample is its label, or the letters of its right choices. With choices a label
    is a choice's text or letter; or it is how many are right: `single`, `multiple` or `none`.

    Args:
        tense: the labels that data sets are full of, such as `["yes", "no"]`.
        sparse: the labels that are rare, such as `["maybe"]`.
        read: `choice`, `judging` or `yes_no`, as `parse_answer` parses these forms, or a function
            from a text to a label, None where it holds none. By default choices are read where the
            sample has some, else Yes and No, or True, False and Unknown, where labels are these.
        cluster: name in a sample's metadata of what it shares with others (a passage), which then
            count together in intervals; a sample without it counts for itself.
    """
    from bias_tasks.instruction_boundary.foreign import Labels

    labels = Labels(tuple(tense), tuple(sparse), read)

    async def score(state: TaskState, target: Target) -> Score:
        item, texts = str(state.sample_id), [choice.value for choice in state.choices]
        answer = answer_in(state.output, state.epoch, state.user_prompt.text).without_reasoning()
        right = list(target) if texts else target.text
        found = labels.outcome(item, str(state.metadata.get(cluster, item)), right, texts, answer)
        return Score(
            value=CORRECT if found.score else INCORRECT,
            answer=found.answer,
            explanation=found.why or None,
            reason=found.reason,
            metadata={_NOTED: found.to_dict()},
        )

    return score


known_as_logged(label_rates)


@metric(scores="unreduced")
def reformulation_consistency(
    group: str = "item",
    variant: str = "variant",
    original: str = "original",
    opposite: list[str] | None = None,
    read: Literal["judging", "yes_no"] | None = None,
    cluster: str = "cluster",
) -> Metric:
    """Does a model answer an item alike in other words? A metric over any scorer's answers.

    Each sample is one variant of an item, and says in its metadata which. `prc` is the share of
    items answered alike in all other words, `nrc` answered otherwise in all words whose right
    answer is the opposite, `arc` alike with the answers in `reversed` order, `sc` alike in every
    variant that begins with `repeat` (Khrapunova 2025, section 2.3), each only where its variants
    are there. An unread answer is consistent with nothing. Answers are what the scorer says they
    are (`Score.answer`), apart from capitals and blanks around them.

    Args:
        group: name in the metadata of the item that a sample is a variant of.
        variant: name in the metadata of the variant.
        original: the variant that others are compared with.
        opposite: variants whose right answer is the opposite; by default `contradictory`, `false`.
        read: how to read an answer that the scorer gives as a whole text; None: it is as it stands.
        cluster: name in the metadata of what items share; an item without it counts for itself.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from bias_tasks.binary_qa.foreign import OPPOSITE, consistency_card, variant_outcome
        from bias_tasks.parsing.answer import parse_answer

        turned, epochs = OPPOSITE if opposite is None else opposite, Counter[str]()
        outcome_of = partial(variant_outcome, original=original, opposite=turned)
        outcomes = []
        for each in scores:
            noted, sample = each.sample_metadata or {}, str(each.sample_id)
            for name, argument in ((group, "group"), (variant, "variant")):
                if noted.get(name) is None:
                    lacks = f"sample {sample} has no {name!r} in its metadata"
                    raise ValueError(f"{lacks}: name it by {argument}=")
            epochs[sample] += 1
            item, name, said = str(noted[group]), str(noted[variant]), each.score.answer
            if read is not None and said is not None:
                said = parse_answer(said, form=read).label
            of = str(noted.get(cluster, item))
            outcomes.append(outcome_of(item, of, name, said, epoch=epochs[sample]))
        return flatten(consistency_card(outcomes)) if outcomes else {}

    return compute
