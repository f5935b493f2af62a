"""What MkDocs does besides (mkdocs.yml): two pages from the root of the checkout, and links that make sense on the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
FROM_ROOT = ("CHANGELOG.md", "CONTRIBUTING.md")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    for name in FROM_ROOT:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links as the site's pages lie. A file of the checkout that is not on the site is named without a link."""
    home = ROOT if page.file.src_uri in FROM_ROOT else (ROOT / "docs" / page.file.src_uri).parent

    def moved(match: re.Match[str]) -> str:
        text, path, anchor = match[1], match[2], match[3] or ""
        target = (home / path).resolve()
        if target.parent == ROOT and target.name in FROM_ROOT:
            return f"[{text}]({target.name}{anchor})"
        if not target.is_relative_to(ROOT / "docs") or target.suffix == "":
            return text
        return f"[{text}]({target.relative_to(ROOT / 'docs').as_posix()}{anchor})" if home == ROOT else match[0]

    return LINK.sub(moved, markdown)
