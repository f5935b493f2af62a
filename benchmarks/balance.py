"""How well a shipped deck is balanced, as tables: ``python benchmarks/balance.py GAME --episodes 10000 [--json FILE]``.

Scripted players over common seeds. What is measured of a game stands in ``balance_tables``, a module for each.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from balance_tables import Asked
from rich.table import Table

from deckwood.core.files import write_atomically
from deckwood_agents.games import find_game, slug
from deckwood_agents.measuring.evaluation import make_console


def rich_table(title: str, content: dict[str, Any]) -> Table:
    out = Table(*content["columns"], title=title)
    for row in content["rows"]:
        out.add_row(*row)
    return out


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("balance.py", description="Measure the balance of a game's deck with the scripted players.")
    parser.add_argument("game", type=find_game, help="a game, such as tanglewoods")
    parser.add_argument("--episodes", type=int, default=10_000, help="games for each line (default %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="of the games (default %(default)s)")
    parser.add_argument("--deck", type=Path, help="a deck file (default: the deck that ships)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="put the tables into this file, as docs/data/balance.json has them")
    given_here = parser.parse_args(given)
    name = slug(given_here.game.env_id)
    asked = Asked(given_here.game, given_here.episodes, given_here.seed, given_here.deck)
    console = make_console()
    tables: list[dict[str, Any]] = []
    for title, rows in importlib.import_module(f"balance_tables.{name}").tables(asked):
        tables.append({"title": title, "columns": list(rows[0]), "rows": [list(row.values()) for row in rows]})
        console.print(rich_table(title, tables[-1]))
    if given_here.json:
        command = f"python benchmarks/balance.py {name} --episodes {asked.episodes} --seed {asked.seed}"
        note = f"{asked.episodes:,} games a line, seed {asked.seed}: `{command}`."
        known = json.loads(given_here.json.read_text(encoding="utf-8")) if given_here.json.exists() else {}
        known[asked.spec.env_id] = {"note": note, "tables": tables}
        write_atomically(given_here.json, json.dumps(known, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
