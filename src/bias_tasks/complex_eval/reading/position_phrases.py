"""How judges put in words which step is the first wrong one, in the plain spelling.

Each pattern of a step has its number in one of its groups, the others being None.
"""

from __future__ import annotations

import re

from bias_tasks.complex_eval.reading.phrases import one_of

_NUMBER = r"(?<![\w.-])(?P<number>-?\d{1,4})(?![\w%]|[.,]\d| ?[+*/=^×÷])"
_STEP_BEFORE = (
    r"(?:(?:in |at |with )?(?:the )?(?:step|position|index|number|no\.) ?)?[#\"'(\[{: ]{0,4}"
)
_WRONG = one_of(
    "wrong incorrect(?:ly)? erroneous faulty false mistaken flawed invalid"
    " (?:not|isn't)_(?:correct|right|valid)"
)
_ERROR = one_of("errors? mistakes? flaws? slips? faults? misstep miscalculation problem issue")
_KIND = one_of(
    "wrong incorrect erroneous faulty false mistaken flawed invalid bad real actual true logical"
    " mathematical computational arithmetic algebraic calculation sign genuine substantive"
)
_CORRECT = one_of("correct right valid sound fine accurate error-free justified")
_KINDS = rf"(?:{_KIND} ){{0,3}}"
_SO = one_of("therefore thus hence then so clearly indeed actually already simply must where")
_IS = one_of(
    "is was are be starts? begins? started arises? arose introduced occurs? occurred"
    " occurring appears? happens? comes? made lies located found"
)
_LINK = one_of(
    f"{_IS} {_SO} in at of the this a an that which with to as it i can has contains? containing"
    f" find found see identified wrong incorrect solution response derivation proof position index"
    f" number step {_ERROR}"
)
FIRST = re.compile(
    rf"\b(?:first|earliest) (?:{_KINDS}{_ERROR}|(?:{_KIND} ){{1,3}}step|step (?:that|which|where"
    rf"|with|to|in which|at which))(?:\(s\))?(?:[ ,]{{1,3}}{_LINK}\b){{0,12}}"
    r"(?:[ \n:=;,|>]|-(?!\d)){0,6}"
    rf"(?:(?:is|at|in) )?{_STEP_BEFORE}{_NUMBER}"
    r"|步骤 ?(?P<of>\d{1,4}) ?(?:是|为)第一(?:个|处)(?:错误|出错|有误)"
    r"|第一(?:个|处)(?:错误|出错|有误)[^\d\n-]{0,12}(?P<zh>-?\d{1,4})"
)
"""`The first error is in step 2`."""
IS_FIRST = re.compile(
    rf"\bstep(?: (?:index|number|no\.))? ?#?{_NUMBER}[ ,]{{1,3}}"
    r"(?:is|contains|has|was|marks|introduces|makes|holds)"
    rf"(?: {_SO})?(?: the)? (?:first|earliest) {_KINDS}"
    rf"(?:{_ERROR}|(?:step |one )?(?:that is )?{_WRONG}|step\b)"
)
"""`Step 2 is the first wrong step`."""
IS_WRONG = re.compile(
    rf"\bstep ?#?{_NUMBER}[ )]{{0,2}}(?:(?:is|was|seems|becomes)\b|[:;|=-])[ >]{{0,3}}"
    rf"(?:(?:{_SO}|the|a|an|one|step|the one that is) ){{0,4}}"
    rf"(?:{_WRONG}|(?:contains|has) an? {_KINDS}{_ERROR}|{_KINDS}(?:errors?|mistakes?)\b|[❌✗✘✖])"
    r"(?![^.\n]{0,20}\?)"
    rf"|\bstep ?#?(?P<has>\d{{1,4}}) (?:(?:contains|has|makes) an? {_KINDS}{_ERROR}\b"
    r"|(?:does not|doesn't) (?:follow|hold)\b|is the culprit\b)"
    rf"|\b(?:the|an?|one) {_KINDS}{_ERROR}(?: (?:first )?{_IS})? (?:in|at|with)"
    r" step (?P<at>\d{1,4})(?![\w/]|[.,]\d)"
    rf"|(?<![^\n]) {{0,8}}{_ERROR} ?(?:[:=-] ?)?(?:in |at )?step (?P<line>\d{{1,4}})"
    r"(?![\w/]|[.,]\d)"
    rf"|(?:\bthe {_KINDS}step is|(?<![^\n]) {{0,8}}{_KIND} step ?[:=])"
    r" (?:step ?)?(?P<the>\d{1,4})(?![\w/]|[.,]\d)"
    r"|\b(?:goes wrong|breaks down|fails|goes astray) (?:in|at|with)"
    r" step (?P<goes>\d{1,4})(?![\w/]|[.,]\d)"
    r"|\bstep (?P<where>\d{1,4}) is where (?:it|the solution|the reasoning)(?: first)? goes wrong\b"
)
"""`Step 2 is wrong`, `there is an error in step 2`."""
VERDICT = re.compile(
    r"(?:\bstep ?#?|(?<=\n)\| {0,3})(?P<number>\d{1,3})(?![\w/]|[.,]\d)[ \n)|:;=.,>-]{0,8}"
    r"(?:(?:this|it|step|verdict|status|is|was)\b:? ){0,3}"
    rf"(?:(?P<wrong>(?:{_WRONG}|errors?|mistakes?)\b|✗)"
    rf"|(?P<right>(?:{_CORRECT}|ok)\b|✓))(?![^.\n]{{0,20}}\?)"
)
"""`Step 1: correct`, on a line or as a row of a table."""
BOXED = re.compile(rf"\\f?boxed ?\{{[ $]{{0,3}}(?:\\text ?\{{)?(?:step )?{_NUMBER}")
OF_THE_PROBLEM = re.compile(
    r"\b(?:right|correct|true|actual|proper|real) (?:final )?(?:value|answer|result|solution|sum"
    r"|total|product|number)\b[^.\n]*\Z|= ?[$(\\]{0,4}\Z"
)
"""What leads to a box that holds the problem's solution, not a step."""
ANSWERED = re.compile(
    rf"(?<![^\n])[ >]{{0,8}}(?:{_SO},? )?(?:the |my )?(?:final )?"
    rf"{one_of('answer result verdict conclusion output 答案')}(?: is)?[ :=]{{1,4}}"
    rf"{_STEP_BEFORE}{_NUMBER}[ .\]\"')}}$]*\Z"
)
"""The last line: `Answer: 2`."""
ALONE = re.compile(
    r"(?:the )?(?:(?:position of the )?first error(?: is)?(?: in| at)?[ \"':=]{1,4}"
    r"|(?:error )?(?:position|index) ?[:=] ?|(?:final )?answer ?[:=] ?"
    r"|(?:it(?:'s| is)|that(?:'s| is| would be)|i(?:'d| would) say) (?=step))?"
    r"[(\[]?(?:(?:step|position|index) )?(?P<number>-?\d{1,6})[)\]]?[.!]?"
    r"(?: ?\([^()\d]{0,200}\)\.?| ?[;-] [^\d]{1,200})?"
)
"""All of the answer: `2`, `Step 2 (a wrong sign)`."""

_WHICH = r"(?: (?:of|in) (?:the|this) \w{1,20})?"
_WHOLLY = one_of(
    "to_be all each entirely completely fully perfectly mathematically logically indeed also"
)
_STEPS_RIGHT = (
    rf"(?:(?:is|are|was|were|seems?|looks?|appears?)(?: {_WHOLLY}){{0,2}} {_CORRECT}"
    r"|checks? out|holds?(?: up)?|follows?)\b"
)
_FAULTS = r"(?:errors?|mistakes?|(?:wrong|incorrect|faulty|erroneous|flawed|invalid) steps?)\b"
_AT_FAULT = (
    rf"(?:(?:is|are|was|were) {_WRONG}|(?:contains?|has|have) (?:an? |any )?{_KINDS}{_FAULTS})"
)
_IN_ALL = (
    r"(?:in|of|among|with|within) (?:any|the|this|its|these|all)(?: of the)?(?: (?:given|whole"
    r"|entire))? " + one_of("solution steps? response reasoning derivation proof calculations?")
)
_FOUND = one_of(
    "was were is are (?:can|could|to)_be found present detected identified made at_all here"
    " anywhere whatsoever"
)
_ENDS = r"(?=\s*(?:\Z|[.!;,:()\n-]|(?:so|and|hence|therefore|thus)\b))"
_ANYWHERE = rf"(?: (?:{_FOUND}|{_IN_ALL})){{0,4}}{_ENDS}"
NONE_WRONG = re.compile(
    rf"\bno (?:such )?steps?{_WHICH} {_AT_FAULT}"
    rf"|\bno (?:(?:first|such|{_KIND}) )?{_FAULTS}{_ANYWHERE}"
    rf"|\bnone of (?:the|these|its)(?: \w{{1,12}})? steps {_AT_FAULT}"
    rf"|\b(?:everything|all of it) {_STEPS_RIGHT}"
    rf"|\b(?:all|every|each)(?: one)?(?: of)?(?: the| its| these)?(?: \w{{1,10}})?"
    rf" steps?{_WHICH} {_STEPS_RIGHT}"
    r"|\b(?:the|this)(?: (?:whole|entire|given))? (?:solution|derivation|proof|reasoning)"
    rf" (?!follows){_STEPS_RIGHT}(?=\s*(?:\Z|[.!;\n]|,? (?:so|and|hence|therefore|thus)\b))"
    r"|\Aall (?:is |are )?correct(?=[.!]?\s*\Z)"
    r"|\bfirst (?:error|mistake|wrong step) ?[:=] ?none ?[(]-1[)]"
    r"|\bnothing (?:is |was )?wrong\b"
    r"|\b(?:(?:did|do|could|can) not|cannot|(?:did|do|could|ca)n't) (?:find|see|detect|spot"
    r"|identify)"
    rf" any (?:\w{{1,20}} )?{_FAULTS}{_ANYWHERE}"
    r"|(?:没有|无)(?:任何)?(?:错误|错)|(?:所有|全部|每个)步骤(?:都|均)(?:正确|对)"
)
"""`No step is wrong`, `I did not find any errors`, `all steps are correct`."""
NOT_ALL = re.compile(r"\b(?:nearly|almost|so far|not|most of)\W*\Z")
RESERVE = re.compile(
    r"\b"
    + one_of(
        "except but until till before after up_to apart other_than besides prior so_far yet however"
        " if though although in_(?:the_)?(?:first|last|steps?|rest|earlier|later|previous)"
    )
    + r"\b"
)
"""What makes less of such a sentence."""
FROM_ONE = re.compile(
    r"\b(?:count|number|start|index)(?:ed|ing)?(?: the steps)? (?:from|at) (?:1|one)\b"
    r"|\b(?:1|one)-(?:based|indexed)"
)
_OR = one_of("in at with maybe possibly perhaps even else rather the it_is")
ONE_OF_SEVERAL = re.compile(
    r" ?(?:-|~|/|\band\b|\bto\b|,) ?(?:step ?)?\d|\?"
    rf"|[^.\n]{{0,60}}?\bor (?:{_OR} ){{0,3}}(?:step ?)?\d"
)
"""What goes on behind the number of a step that is not the only one."""
OF_STEPS = re.compile(r"\bsteps?\b|\berrors?\b|\bmistakes?\b|步骤|第一")
"""What an answer speaks of that judges a solution: others solve the problem."""
