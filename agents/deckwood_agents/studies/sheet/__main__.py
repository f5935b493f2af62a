"""Write the sheet: ``python -m deckwood_agents.studies.sheet [--to FOLDER] [--findings FILE] [--redraw]``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from deckwood.core.files import write_atomically
from deckwood.core.program import output, program
from deckwood_agents.studies.sheet import compute, files, findings, pages

CHECKOUT = Path(__file__).resolve().parents[4]


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m deckwood_agents.studies.sheet",
        description="Write charts of the dice to commit (PNG, PDF, CSV), rules of thumb, and the findings.",
    )
    parser.add_argument("--to", type=Path, metavar="FOLDER", default=CHECKOUT / "docs" / "sheet", help="default: docs/sheet")
    parser.add_argument(
        "--findings",
        type=output,
        metavar="FILE",
        default=CHECKOUT / "docs" / "dice_commit_findings.md",
        help="default: docs/dice_commit_findings.md",
    )
    parser.add_argument("--redraw", action="store_true", help="solve nothing: redraw and rewrite from the existing CSV and JSON files")
    args = parser.parse_args(argv)
    begun = time.perf_counter()

    def report(text: str) -> None:
        print(f"{time.perf_counter() - begun:6.1f} s  {text}", file=sys.stderr, flush=True)

    args.to.mkdir(parents=True, exist_ok=True)
    if not args.redraw:
        content = compute.compute(report)
        files.write_cells(content.cells, args.to / files.FIGHTS)
        files.write_figures(files.rounded(content.figures), args.to)
    cells, figures = files.read_cells(args.to / files.FIGHTS), files.read_figures(args.to)
    report("pages")
    for path in pages.save(pages.pages(cells, figures), args.to):
        print(path)
    write_atomically(args.findings, findings.page(cells, figures))
    print(args.findings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
