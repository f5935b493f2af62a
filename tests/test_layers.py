"""Which package may know which: arrows point downwards, and no module imports itself in a circle."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = {"deckwood": ROOT / "envs" / "deckwood", "deckwood_agents": ROOT / "agents" / "deckwood_agents"}


def modules():
    """Every module by its name."""
    found = {}
    for package, folder in SOURCES.items():
        for path in folder.rglob("*.py"):
            parts = (package, *path.relative_to(folder).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()

SYSTEM = {"core", "strong"}
ENGINE = {
    "core": set(),
    "strong": {"core"},
    "solver": SYSTEM,
    "adapters": {"core"},
    "tanglewoods": SYSTEM,
    "etherfields": SYSTEM,
    "lost_woods": {"core"},
    "dice_commit": SYSTEM | {"solver"},
    "": {"core", "adapters"},
    "advise": SYSTEM | {"solver"},
    "docs": SYSTEM | {"dependencies"},
    "dependencies": set(),
    "lost_woods_v1": {"core", "adapters"},
    "campaign": {"core"},
    "conformance": {"core"},
    "golden": {"core"},
    "show": {"core"},
}
"""What each room of ``deckwood`` may know of the others."""

AGENTS = ["", "games", "seeds", "plain_yaml", "extras"], ["players"], ["measuring"], ["learning"], ["results", "studies"]
PLAYERS = (
    ["", "protocol", "policy", "devices"],
    ["uniform", "network", "scripted", "prospects", "checkpoints"],
    ["advice", "search", "optimum", "solver"],
    ["roster"],
)
"""Floors of ``deckwood_agents`` and of its players, the lowest first: a room knows those below it and none beside it."""


@cache
def imports(name):
    """The modules of ours that one imports, at its top or within its functions."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {inner if (inner := f"{node.module}.{alias.name}") in MODULES else node.module for alias in node.names}
    return found & set(MODULES) - {name}


def room(name, package):
    """The part of ``package`` that a module lies in, "" for the package itself; None where it lies outside."""
    if name == package:
        return ""
    return name.removeprefix(f"{package}.").partition(".")[0] if name.startswith(f"{package}.") else None


def arrows(package):
    """Whose module imports whose, between the rooms of a package: (room, room, module, module)."""
    for name in MODULES:
        for other in imports(name):
            ends = room(name, package), room(other, package)
            if None not in ends and ends[0] != ends[1]:
                yield *ends, name, other


def floors(package, levels):
    """Arrows of a package that do not point downwards."""
    level = {name: height for height, names in enumerate(levels) for name in names}
    return [f"{name} imports {other}" for own, known, name, other in arrows(package) if level[known] >= level[own]]


def test_no_module_imports_itself_in_a_circle():
    try:
        TopologicalSorter({name: imports(name) for name in MODULES}).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_the_engine_knows_no_agents():
    assert [
        f"{name} imports {other}"
        for name in MODULES
        if room(name, "deckwood") is not None
        for other in imports(name)
        if room(other, "deckwood") is None
    ] == []


def test_rooms_of_the_engine_know_only_what_they_may():
    assert [f"{name} imports {other}" for own, known, name, other in arrows("deckwood") if known not in ENGINE[own]] == []


def test_rooms_of_the_agents_stand_on_their_floors():
    assert floors("deckwood_agents", AGENTS) == []
    assert floors("deckwood_agents.players", PLAYERS) == []


def test_scripted_players_of_a_game_know_no_other_game():
    games = {"tanglewoods", "etherfields", "lost_woods", "dice_commit"}
    scripted = "deckwood_agents.players.scripted"
    assert [f"{name} imports {other}" for own, known, name, other in arrows(scripted) if own in games and known in games] == []
