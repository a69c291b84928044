"""A hook of MkDocs that adapts the repository's pages to the documentation site.

Links of the pages are those of the repository. The README is the site's first page; the guide for
contributors and the changelog are pages, too. Files that a page links to are copied to `source/`; a
link to a folder becomes plain text. Cells of tables name their columns, which narrow windows need.
A page that would load something from another site fails the build.
"""

from __future__ import annotations

import os
import re
from itertools import chain, repeat
from pathlib import Path

from markupsafe import Markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = {
    ROOT / "README.md": "index.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "CHANGELOG.md": "changelog.md",
}
"""Pages outside of `docs`, and their names in the site."""
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_FENCED = re.compile(r"^(`{3,}).*?^\1$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_LOADED = re.compile(
    r"<(?:script|img|iframe|source|link)\b[^>]* (?:src|href)=[\"']?(?:https?:)?//[^>]*>"
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages outside of `docs`, and every file that a page links to."""
    for path, name in PAGES.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    linked = {
        _path(page, target)
        for page in [*PAGES, *DOCS.rglob("*.md")]
        for target in _targets(page.read_text(encoding="utf-8"))
    }
    for path in sorted(linked):
        if path.is_file() and path not in PAGES and DOCS not in path.parents:
            files.append(File.generated(config, _source(path), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the page with the site's links, and without escapes of bars in code of tables."""
    path = Path(page.file.abs_src_path or "")
    parts = _FENCED.split(markdown)
    del parts[1::2]  # the group of the pattern; fenced code is put back below
    fences = [match[0] for match in _FENCED.finditer(markdown)]
    rewritten = [_rewrite_text(part, path, page.file.src_uri) for part in parts]
    return rewritten[0] + "".join(
        fence + part for fence, part in zip(fences, rewritten[1:], strict=True)
    )


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the page with the column's name in each cell: `site.css` shows rows as cards."""
    return _TABLE.sub(lambda table: _label_cells(table[0]), html)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Return the page unchanged.

    Raises:
        PluginError: It would load something from another site.
    """
    match = _LOADED.search(output)
    if match is not None:
        raise PluginError(f"{page.file.src_uri} loads from elsewhere: {match[0][:200]}")
    return output


def _label_cells(table: str) -> str:
    head, body_tag, body = table.partition("<tbody>")
    names = [Markup(cell).striptags() for cell in re.findall(r"<th\b[^>]*>(.*?)</th>", head)]
    labels = chain.from_iterable(repeat(names))
    labelled = re.sub(
        r"<td\b",
        lambda cell: Markup('{} data-label="{}"').format(Markup(cell[0]), next(labels)),
        body,
    )
    return head + body_tag + labelled


def _rewrite_text(text: str, path: Path, name: str) -> str:
    lines = [
        _CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line
        for line in text.split("\n")
    ]
    return _LINK.sub(lambda link: _rewrite_link(link, path, name), "\n".join(lines))


def _rewrite_link(link: re.Match[str], path: Path, name: str) -> str:
    """Return a link with its target in the site; the text alone for a folder, which has none.

    Args:
        link: The link.
        path: The page in the repository.
        name: The page's name in the site.
    """
    target = link["target"]
    if not _is_local(target):
        return link[0]
    file_name, hash_, anchor = target.partition("#")
    linked = _path(path, file_name)
    if linked.is_dir():
        return link["text"]
    relative = os.path.relpath(PAGES.get(linked) or _source(linked), Path(name).parent)
    return link[0].replace(f"({target})", f"({relative}{hash_}{anchor})")


def _targets(text: str) -> list[str]:
    targets = (link["target"] for link in _LINK.finditer(text))
    return [target.partition("#")[0] for target in targets if _is_local(target)]


def _is_local(target: str) -> bool:
    return not re.match(r"[a-z]+:|#", target)


def _path(page: Path, target: str) -> Path:
    return Path(os.path.normpath(page.parent / target))


def _source(path: Path) -> str:
    """Return a file's name in the site."""
    if DOCS in path.parents:
        return path.relative_to(DOCS).as_posix()
    return f"source/{path.relative_to(ROOT).as_posix()}"
