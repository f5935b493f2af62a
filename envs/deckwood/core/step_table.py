"""One table of a game's steps: what each is called, what it does, and what it asks of the player or of chance.

A step is what a position can wait for or be in the middle of; a game keeps the number of the present one in its position. The contract's
functions look the step up here, instead of each comparing numbers in a chain of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from deckwood.core.jit import COMPILED, rule

Rule: TypeAlias = Callable[..., Any]


class Step(NamedTuple):
    """One row. A rule takes what it needs of ``s``, ``deck`` and ``step``, by these names, and last the value of its column.

    A step with ``legal`` and ``play`` is a decision, one with ``outcome_weights`` and ``apply_outcome`` a chance event;
    both have a ``phase``.
    """

    phase: str = ""
    """What people call it."""
    perform: Rule | None = None
    """Does what needs no choice, or brings the position to rest."""
    legal: Rule | None = None
    """``legal(mask)`` marks the legal actions and returns how many."""
    play: Rule | None = None
    """``play(action)``."""
    outcome_weights: Rule | None = None
    """``outcome_weights(weights)`` writes the outcomes' weights and returns how many there are."""
    apply_outcome: Rule | None = None
    """``apply_outcome(outcome)``."""
    window: bool = False
    """Whether items and abilities may be used here."""
    hint: str = ""
    """More about the decision, for people."""


class StepTable:
    """Rows by number, and the functions compiled from them.

    ``perform(s, deck, step)``, ``legal(s, deck, step, mask)``, ``play(s, deck, step, action)``,
    ``outcome_weights(s, deck, step, weights)`` and ``apply_outcome(s, deck, step, outcome)`` call the row's rule;
    ``is_window(step)`` reads it.

    Where no row has a ``perform`` (a game whose rules set the node themselves), the table's does nothing.
    """

    def __init__(self, module: str, numbers: Iterable[int], rows: Mapping[int, Step]) -> None:
        """``numbers`` are all of the game's steps. ValueError for a step without a row, a row without a step, or half a row."""
        self.rows: dict[int, Step] = {int(number): row for number, row in rows.items()}
        if missing := sorted(set(map(int, numbers)) ^ set(self.rows)):
            raise ValueError(f"{module}: steps and rows differ in {missing}")
        performs = any(row.perform for row in self.rows.values())
        for number, row in self.rows.items():
            check(f"{module}: step {number} ({row.phase or 'no phase'})", row, performs)
        self.phases = {number: row.phase for number, row in self.rows.items() if row.phase}
        self.decisions = tuple(number for number, row in self.rows.items() if row.legal)
        self.chances = tuple(number for number, row in self.rows.items() if row.outcome_weights)

        self.perform = switch(module, "perform", {number: row.perform for number, row in self.rows.items()})
        self.legal = switch(module, "legal", {number: row.legal for number, row in self.rows.items()}, "mask", returns=True)
        self.play = switch(module, "play", {number: row.play for number, row in self.rows.items()}, "action")
        self.outcome_weights = switch(
            module, "outcome_weights", {number: row.outcome_weights for number, row in self.rows.items()}, "weights", returns=True
        )
        self.apply_outcome = switch(module, "apply_outcome", {number: row.apply_outcome for number, row in self.rows.items()}, "outcome")
        self.is_window = membership(module, "is_window", [number for number, row in self.rows.items() if row.window])

    def hint(self, number: int) -> str:
        """More about a step's decision, for people; empty if there is none, or if the number is not a step."""
        return self.rows[number].hint if number in self.rows else ""


def check(where: str, row: Step, performs: bool) -> None:
    """ValueError for half a row."""
    if (row.legal is None) != (row.play is None) or (row.outcome_weights is None) != (row.apply_outcome is None):
        raise ValueError(f"{where} has one half of a decision or chance event: legal goes with play, outcome_weights with apply_outcome")
    if row.legal and row.outcome_weights:
        raise ValueError(f"{where} is both a decision and a chance event")
    if (row.legal or row.outcome_weights) and not row.phase:
        raise ValueError(f"{where} lets a position rest, but has no phase")
    if performs and not row.perform:
        raise ValueError(f"{where} has no perform")


def switch(module: str, name: str, rules: Mapping[int, Rule | None], argument: str = "", *, returns: bool = False) -> Rule:
    """``name(s, deck, step, argument)``: calls the rule of the step; one without a rule does nothing (with ``returns``, gives 0).

    Numba calls no function by a computed number, so what it compiles is a chain of comparisons, of which LLVM makes a jump table.
    """
    available = ["s", "deck", "step", *([argument] if argument else [])]
    names: dict[str, Any] = {}
    taken: dict[int, list[str]] = {}
    for number, function in rules.items():
        if function:
            names[f"rule_{number}"] = function
            taken[number] = arguments_of(function, available)
    if not COMPILED:
        return look_up(names, taken, available, 0 if returns else None)
    lines = [f"def {name}({', '.join(available)}):"]
    for number, arguments in taken.items():
        call = f"rule_{number}({', '.join(arguments)})"
        lines += [f"    if step == {number}:", f"        return {call}" if returns else f"        {call}\n        return"]
    if returns:
        lines.append("    return 0")
    return made(module, name, lines, names)


def arguments_of(function: Rule, available: list[str]) -> list[str]:
    """Which of ``available`` a rule takes: ``s``, ``deck`` and ``step`` by name, the value under any name, as its last argument."""
    parameters = list(inspect.signature(getattr(function, "py_func", function)).parameters)
    if len(available) == 4 and parameters[-1] not in available[:3]:
        parameters[-1] = available[3]
    if unknown := [name for name in parameters if name not in available]:
        raise ValueError(f"{function.__module__}.{function.__name__} takes {', '.join(unknown)}, which a step does not have")
    return parameters


def look_up(names: Mapping[str, Rule], taken: Mapping[int, list[str]], available: list[str], nothing: int | None) -> Rule:
    """The uncompiled equivalent."""
    rules = {number: (names[f"rule_{number}"], [available.index(name) for name in arguments]) for number, arguments in taken.items()}

    def call(*values: Any) -> Any:
        if values[2] not in rules:
            return nothing
        function, places = rules[values[2]]
        return function(*(values[place] for place in places))

    return call


def membership(module: str, name: str, numbers: Iterable[int]) -> Rule:
    """``name(step)``: True for these steps."""
    return made(module, name, [f"def {name}(step):", "    return " + (" or ".join(f"step == {n}" for n in numbers) or "False")], {})


def made(module: str, name: str, lines: list[str], names: dict[str, Any]) -> Rule:
    """A rule of generated source."""
    exec("\n".join(lines) + "\n", names)
    function = names[name]
    function.__module__ = module
    compiled: Rule = rule(function)
    return compiled
