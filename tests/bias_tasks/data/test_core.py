"""The core set is unchanged since it was frozen."""

import hashlib
import json
from importlib.resources import files

from bias_tasks.data.core import core_digest, core_origin, core_parts, core_rows
from bias_tasks.digests import content_hash

DIGEST = "af4c47826a7b21a2"
SIZES = {
    "choice": 300,
    "judging": 240,
    "distractors": 60,
    "binary": 300,
    "formats": 340,
    "pairs": 240,
    "math": 120,
    "role_playing": 40,
    "writing": 40,
    "attention": 16,
}
FOLDER = files("bias_tasks.data") / "core_items"


def test_the_core_set_never_changes():
    """A changed core set needs another name, because its metrics are not comparable."""
    assert core_digest() == DIGEST
    assert core_origin()["name"] == "bias-core 3"
    assert {part: len(core_rows(part)) for part in core_parts()} == SIZES
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 5_000_000
    for part in SIZES:
        lines = (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = list(map(json.loads, lines))
        contents = [{name: row[name] for name in row if name != "id"} for row in rows]
        hashes = [f"core-{content_hash(part, content)}" for content in contents]
        assert [row["id"] for row in rows] == hashes, part


def test_the_licence_and_the_digests_stand_beside_the_items():
    """A copy of the folder alone says who wrote the items and under which licence."""
    names = {path.name for path in FOLDER.iterdir()}
    assert "LICENSE-CC-BY-4.0.txt" in names
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "CC BY 4.0" in readme
    for part in SIZES:
        digest = hashlib.sha256((FOLDER / f"{part}.jsonl").read_bytes()).hexdigest()[:16]
        assert f"| `{part}` | {len(core_rows(part))} | `{digest}` |" in readme
