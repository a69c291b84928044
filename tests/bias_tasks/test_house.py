"""The project's own files: no machine's names in them, versions that agree, docs that are true."""

import re
import subprocess
import tomllib
from importlib.metadata import distributions

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import bias_tasks
from bias_tasks.cli import main
from bias_tasks.instruction_boundary.settings import SETTINGS
from tests.bias_tasks.paper_coverage import ROOT

MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/(?:work|root|tmp|home|opt|Users)/")
REGISTRY = re.compile(r"pypi[.]org|python[h]osted|index[-]url|find[-]links|file:[/]{2}")
LOCK_FILES = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml"}
CONSTRAINT = re.compile(r"[\w.-]+==[\w.+!]+(?: *; *[^@:]+)?")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def tracked_files():
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode != 0:
        pytest.skip("not a git checkout: there are no tracked files to look through")
    return [ROOT / name for name in listing.stdout.split("\0") if (ROOT / name).is_file()]


def project():
    return tomllib.loads(read("pyproject.toml"))["project"]


def requirements():
    table = project()
    groups = [table["dependencies"], *table["optional-dependencies"].values()]
    return [Requirement(each) for group in groups for each in group]


def pins():
    """Pinned version by canonical name."""
    lines = [Requirement(line) for line in read("constraints.txt").splitlines()]
    return {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in lines}


def test_tracked_files_know_no_machine_and_lock_nothing():
    """A lock file records the addresses that its writer downloaded from."""
    assert MACHINE_PATH.search("cache = '/" + "work/shared'")
    assert REGISTRY.search("--index" + "-url x")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked_files()
        for number, line in enumerate(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1
        )
        if MACHINE_PATH.search(line) or REGISTRY.search(line)
    ]
    assert found == []
    assert not [path for path in tracked_files() if path.name in LOCK_FILES]


def test_every_dependency_is_pinned_exactly_within_its_range():
    assert all(CONSTRAINT.fullmatch(line) for line in read("constraints.txt").splitlines())
    pinned = pins()
    for requirement in requirements():
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement
    # The harness's HTTP clients don't need PyTorch, and it is larger than all else together.
    assert not [name for name in pinned if name.startswith(("torch", "nvidia"))]


def test_pins_install_on_the_oldest_python():
    """A package may refuse early patch releases of a Python that others run on."""
    pinned = pins()
    installed = [d for d in distributions() if pinned.get(canonicalize_name(d.name)) == d.version]
    assert installed, "none of the pinned versions is installed here"
    checks_arguments = [
        f"{d.name} needs Python {d.metadata['Requires-Python']}"
        for d in installed
        if "3.11.0" not in SpecifierSet(d.metadata["Requires-Python"] or "")
    ]
    assert not checks_arguments


def test_every_dependency_says_why():
    lines = re.findall(r'^ {4}"[\w-]+.*[>=].*$', read("pyproject.toml"), re.M)
    assert len(lines) == len(requirements())
    assert not [line for line in lines if not re.search(r'",\s+# \w', line)]


def test_versions_agree():
    citation = yaml.safe_load(read("CITATION.cff"))["version"]
    newest = re.search(r"^## \[(\d\S*)\]", read("CHANGELOG.md"), re.M)
    assert newest is not None
    assert project()["version"] == citation == newest.group(1)


SUITES = ("instruction_boundary", "output_format", "binary_qa", "complex_eval")
"""The papers' pages, in the order of CITATION.cff."""


def test_papers_are_cited_alike():
    """Title, first author, year and address: in CITATION.cff, on the page, in the metadata."""
    papers = yaml.safe_load(read("CITATION.cff"))["references"]
    for paper, suite in zip(papers, SUITES, strict=True):
        page = " ".join(read(f"docs/{suite}.md").split())
        first_author = paper["authors"][0]["family-names"]
        assert paper["title"] in page
        assert re.search(rf"\b{first_author}( et al\.)? \({paper['year']}\)", page), first_author
        assert paper.get("url", "") in page
    assert set(project()["urls"].values()) == {paper["url"] for paper in papers if "url" in paper}


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_links_between_pages_lead_somewhere():
    missing = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert missing == []


def test_pages_stay_short():
    """At most 150 kB of pages and of reference, and 16 pages in the navigation."""
    for folder in ("docs", "docs/reference"):
        assert sum(page.stat().st_size for page in (ROOT / folder).glob("*.md")) <= 150_000, folder
    navigation = read("mkdocs.yml").partition("\nnav:\n")[2]
    assert 0 < navigation.count(".md\n") <= 16


def test_pictures_and_the_sample_report_are_of_this_version():
    """`make pictures` draws them and states the version in the descriptions."""
    version = project()["version"]
    pictures = [
        (page.name, picture, description)
        for page in PAGES
        for description, picture in re.findall(
            r"!\[([^]]*)\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")
        )
    ]
    assert {picture.rpartition("/")[2] for _, picture, _ in pictures} == {
        path.name for path in ROOT.glob("docs/*.png")
    }
    assert not [each for each in pictures if not each[2].endswith(f"(version {version})")]
    assert f"report by bias-tasks {version}." in read("docs/sample_report.html")


def test_commands_shown_exist():
    """Task names of both hosts, subcommands of the command line, targets of make."""
    pages = [page.read_text(encoding="utf-8") for page in PAGES if page.stem != "CHANGELOG"]
    code = "\n".join(
        each for page in pages for each in re.findall(r"```.*?```|`[^`\n]+`", page, re.S)
    )
    evals = set(re.findall(r"inspect eval bias_tasks/(\w+)", code))
    settings = set(re.findall(r"\bib_(\w+)_(?:judging|choice)\b", code))
    commands = set(re.findall(r"(?<![\w/-])bias-tasks ([a-z][a-z-]*)", code))
    targets = set(re.findall(r"^make ([a-z]+)|`make ([a-z]+)`", code, re.M))
    assert evals <= {*bias_tasks.__all__, "instruction_boundary"}
    assert settings <= set(SETTINGS)
    assert commands <= set(main.list_commands(None))
    makefile = read("Makefile")
    assert not [t for pair in targets for t in pair if t and f"\n{t}:" not in makefile]
