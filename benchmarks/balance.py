"""How well a shipped deck is balanced, as tables: ``python benchmarks/balance.py GAME --episodes 10000 [--json FILE]``.

Scripted players over common seeds. What is measured of a game stands in ``balance_tables``, a module for each.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from balance_tables import Request
from rich.table import Table

from deckwood.core.files import write_atomically
from deckwood.core.program import MAX_SEED, Unreadable, output, program, whole
from deckwood.core.untrusted import parse_json, read_bytes, shown
from deckwood_agents.games import find_game, slug
from deckwood_agents.measuring.evaluation import make_console


def rich_table(title: str, content: dict[str, Any]) -> Table:
    out = Table(*content["columns"], title=title)
    for row in content["rows"]:
        out.add_row(*row)
    return out


def known_tables(file: Path) -> dict[str, Any]:
    """What a file has of other games; Unreadable where it is none of these."""
    try:
        found = parse_json(read_bytes(file)) if file.exists() else {}
    except ValueError as error:
        raise Unreadable(f"{file}: found no JSON ({error})") from None
    if not isinstance(found, dict):
        raise Unreadable(f"{file}: found {shown(found)}; allowed: tables by game, as in docs/data/balance.json")
    return found


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("balance.py", description="Measure the balance of a game's deck with the scripted players.")
    parser.add_argument("game", type=find_game, help="a game, such as tanglewoods")
    parser.add_argument("--episodes", type=whole(2, 10**8), default=10_000, help="games per row (default %(default)s)")
    parser.add_argument("--seed", type=whole(0, MAX_SEED), default=7, help="seed of the games (default %(default)s)")
    parser.add_argument("--deck", type=Path, help="a deck file (default: the shipped deck)")
    parser.add_argument(
        "--json", type=output, metavar="FILE", help="write the tables to this file, in the format of docs/data/balance.json"
    )
    args = parser.parse_args(argv)
    name = slug(args.game.env_id)
    request = Request(args.game, args.episodes, args.seed, args.deck)
    if importlib.util.find_spec(f"balance_tables.{name}") is None:
        parser.error(f"{name} has no tables of balance")
    known = known_tables(args.json) if args.json else {}
    console = make_console()
    tables: list[dict[str, Any]] = []
    for title, rows in importlib.import_module(f"balance_tables.{name}").tables(request):
        tables.append({"title": title, "columns": list(rows[0]), "rows": [list(row.values()) for row in rows]})
        console.print(rich_table(title, tables[-1]))
    if args.json:
        command = f"python benchmarks/balance.py {name} --episodes {request.episodes} --seed {request.seed}"
        note = f"{request.episodes:,} games a line, seed {request.seed}: `{command}`."
        known[request.spec.env_id] = {"note": note, "tables": tables}
        write_atomically(args.json, json.dumps(known, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
