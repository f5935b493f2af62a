"""The tables of "Checked against the rulebook" on the games' pages add up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("game", ["tanglewoods", "etherfields", "lost_woods"])
def test_the_count_of_statements_adds_up(game: str) -> None:
    page = (DOCS / f"{game}.md").read_text(encoding="utf-8").split("## Checked against the rulebook")[1].split("\n## ")[0]
    rows = {
        section: tuple(map(int, numbers.split(" | "))) for section, numbers in re.findall(r"^\| ([^|\n]+) \| (\d[\d |]*\d) \|$", page, re.M)
    }
    assert all(statements == printed + simplified + read for statements, printed, simplified, read in rows.values())
    total = rows.pop("all")
    assert total == tuple(map(sum, zip(*rows.values(), strict=True)))
