"""Why a run does not present an item under a probe."""

from enum import StrEnum


class SkipReason(StrEnum):
    """Reasons to skip an item under a probe. The values are the words for people."""

    NO_TEXT = "its prompt has no text of its own"
    NO_CHOICES = "its prompt displays no choices"
    TOO_MANY_CHOICES = "it has too many choices"
    EQUAL_CHOICES = "two of its choices are the same"
    UNKNOWN_CORRECT_CHOICE = "its correct choice is not known"
    NO_WRONG_CHOICE = "it has no choice that is known to be wrong"
    CHOICES_REFER_TO_OTHERS = "a choice refers to other choices"
    CHOICES_CONTAIN_LABELS = "its choices contain possible labels"
    CHOICES_NOT_PLAIN_WORDS = "its choices are not plain words only"
    NO_CHOICE_FORMATS = "it has no choices, which the selected formats need"
    NO_EXAMPLES = "the task has too few other items with another answer"
    NO_WORD_TO_MISTYPE = "it has no word that can be mistyped"
    ABOUT_ITS_TEXT = "it asks about its own text"
    SEVERAL_CORRECT = "several of its choices are correct"
    NO_SHORT_ANSWER = "it has neither choices nor a short correct answer"
    NO_UNRELATED_STATEMENT = "every statement shares a word with it"
    NO_REWORDINGS_FILE = "the run has no file of rewordings"
    NO_ROW = "the file has no row for it"
    NO_REWORDING = "no rewording of it was made"
    NOT_APPROVED = "its reviewer did not approve the rewording"
    REFUSED_REWORDING = "its rewording was refused"


class ProbeNotApplicableError(Exception):
    """A probe cannot be applied to an item."""

    def __init__(self, reason: SkipReason, detail: str = "") -> None:
        super().__init__(f"{reason} ({detail})" if detail else reason)
