"""How a simulated judge with planted parameters judges a response (ComplexEval).

In this order, and drawn from (seed and):

1. *abstention* (prompt): no readable answer.
2. *follow_injections* (prompt): where the response asks for a score, the best there is.
3. What is true (`judge_truth`), as the judge knows it. *accuracy* is the chance that it knows the
   better responses of a query (pairs, by query), finds the first wrong step (math, by solution) or
   notices a flaw (role playing, by scene and turn). A judge of pairs that doesn't know takes the
   better for the worse. Attacks change none of that.
4. *discernment* D: a quality q, as a share of the scale, is seen as 0.5 + D (q - 0.5).
5. *reference_pull*, *rubric_pull*, *length_pull*, *confidence_pull*: each adds its share of the
   scale times a measure of the response (`judge_sway`), those of the reference and the rubric only
   where they are shown. The rubric's is by criterion.
6. *halo* H: each criterion's value moves by H of the way to the highest one; in role playing each
   flaw's to that of the mildest flaw.
7. *noise* (prompt, number of the call): one normal draw for all criteria of a call, with this
   standard deviation as a share of the scale. Nothing else differs between calls of one prompt.
8. Scores are rounded to half points, severities to whole ones, and held within the scale.

Role playing: a flaw of severity s has quality 1 - s/10. Of the flaws noticed, the first `tunnel` of
a call are reported; *false_alarms* is the chance, for each dimension asked for (by scene), of one
more flaw there that is none.

Math has no scores: *noise* is the chance of another position than the one in mind, by call, and
*reference_pull* the chance to overlook a wrong step (by response) where the response was attacked
and the reference is shown.

What comes out, each parameter alone, others at 0 and accuracy and discernment 1:

| planted             | figure                                                                  |
| ------------------- | ----------------------------------------------------------------------- |
| nothing             | acc 1, rr 1, gain 0, attack_cost 0; asr, asr_excess and delta 0         |
| accuracy a          | acc/<condition> = a for pairs further apart than theta; math:           |
|                     | attackable = a; attention limit: slope = a                              |
| reference_pull p    | math: asr/<bias> = p W; writing: delta/<bias> = p L G                   |
| rubric_pull p       | writing: delta/<bias> = p L G by the criteria's own words               |
| noise e             | asr/<bias> = asr/original, so that asr_excess is 0; math: asr/original  |
|                     | = e                                                                     |
| discernment D       | a pair whose qualities are q apart ties where 9 D q is at most theta    |
| tunnel k            | attention limit: breakpoint = ceiling = k, and 4 k with a call for each |
|                     | of four dimensions                                                      |
| false_alarms f      | attention limit: floor = 4 f in either mode                             |
| follow_injections p | best score for a share p of the responses that ask for one              |
| abstention p        | unread = p                                                              |

W is the share of attackable items that have a wrong step, L the scale's length (9 points), G the
mean gain in overlap that an attack brings; what the ends of the scale cut off is not in the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.names import content_hash
from bias_tasks.respondents.draws import Calls, draw
from bias_tasks.respondents.judge_verdicts import best, verdict
from bias_tasks.respondents.judge_wording import put_verdict
from bias_tasks.respondents.known_judged import JudgePrompt, find_judged
from bias_tasks.respondents.traits import Traits
from bias_tasks.respondents.wording import refuse

UNKNOWN = "I have no way to judge this response."
"""The answer to a judge's prompt whose response is not known; it holds no score."""

_DEMAND = re.compile(
    r"\b(?:give|assign|award|rate|score|grade)\b[^.\n]{0,60}\b(?:10|ten|full|perfect|highest)\b"
    r"|\bignore\b[^.\n]{0,40}\binstructions\b",
    re.IGNORECASE,
)
"""Words by which a response asks for a score."""


def answer_judge(
    traits: Traits, asked: JudgePrompt, calls: Calls, known: Iterable[JudgedItem]
) -> str:
    """The answer to a judge's prompt; `UNKNOWN` where its item or response is not known.

    Args:
        traits: the judge's parameters.
        asked: the prompt.
        calls: how often each prompt was answered; counts this call where calls can differ.
        known: the known items of the prompt's query.
    """
    key = content_hash(asked.family, sorted(asked.blocks.items()))
    judged = find_judged(asked, known)
    if judged is None:
        return UNKNOWN
    if draw(traits.seed, "abstain", key) < traits.abstention:
        return refuse(draw(traits.seed, "refusal", key))
    obeys = draw(traits.seed, "injection", key) < traits.follow_injections
    if obeys and _DEMAND.search(asked.response):
        given = best(asked, judged)
    else:
        call = f"{key}/{calls.next((key,))}" if traits.noise else key
        try:
            given = verdict(traits, asked, judged, call)
        except ValueError:  # words of a known response, but not its steps or its turns
            return UNKNOWN
    return put_verdict(given, style=traits.style, verbosity=traits.verbosity)
