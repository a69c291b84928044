"""What the tests of the reformulator share: questions, a plain grammar, and models that answer."""

import json

KINDS = ("synonym", "polite", "contradictory", "false")


def grammar(question, kind):
    """Knows questions that begin with Is."""
    return f"{kind} of {question}" if question.startswith("Is ") else None


def check(question, kind, text):
    return None if text.endswith("?") else "it is no question"


def good(prompt):
    """A question that differs with the prompt."""
    return f"Is it so, {abs(hash(prompt))}?"


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def questions(n, start="Where is"):
    """The last of them known to the grammar."""
    made = [
        {"id": f"q{i}", "question": f"{start} {i}?", "answer": ("Yes", "No")[i % 2]}
        for i in range(n - 1)
    ]
    return [*made, {"id": "easy", "question": "Is it here?", "answer": "Yes"}]


class ProviderError(RuntimeError):
    """What a provider raises."""
