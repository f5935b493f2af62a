"""Cards whose answers bring about what they answer to, again and again: decks that the loader refuses.

What an answer turns has a few states: the ether its colours, a forest card its sides. Every answer that turns it from one state to
another and thereby brings about a moment that is answered is an arrow between these states; a circle of arrows may never end.
Chains that use something up, such as enemies to fall or places to fill, end by themselves or at the bound of :mod:`deckwood.strong.steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic_core import InitErrorDetails

from deckwood.core.decks import problem
from deckwood.strong.deck import Effect, Words
from deckwood.strong.vocabulary import CHOOSE

Where = tuple[str | int, ...]


class Answers(NamedTuple):
    """The effects of a card that answers moments, and where they stand in the file."""

    where: Where
    card: str
    effects: Sequence[Effect]


@dataclass(frozen=True)
class Turning:
    """What answers may turn: its states, the arrows of an effect, and the states in which an effect takes the first of its branches."""

    states: Sequence[str]
    turns: Callable[[Effect], Iterable[tuple[int, int]]]
    first_branch: Callable[[Effect], Collection[int] | None] = lambda effect: None  # None: whatever the state


class Arrow(NamedTuple):
    """An answer that turns one state to another."""

    source: int
    target: int
    where: Where
    op: str
    text: str


def endless(worlds: Iterable[Sequence[Answers]], turning: Turning, words: Words) -> list[InitErrorDetails]:
    """The problem of a deck with an endless chain; ``worlds`` are the cards that can be in play at once, such as a hero with all items."""
    for cards in worlds:
        if circle := _circle([arrow for card in cards for arrow in _arrows(card, turning, words)]):
            chain = ", then ".join(arrow.text for arrow in circle)
            return [problem(circle[0].where, circle[0].op, f"no answer that leads back to itself: {chain}")]
    return []


def _arrows(card: Answers, turning: Turning, words: Words) -> Iterator[Arrow]:
    """Those of all effects that answer a moment which an op like theirs brings about."""
    every = frozenset(range(len(turning.states)))
    raised = {moment for op in words.values() for moment in op.raises}

    def follow(block: Sequence[tuple[int, Effect]], states: frozenset[int]) -> Iterator[Arrow]:
        for place, (index, effect) in enumerate(block):
            op, rest, count = words[effect.op], block[place + 1 :], effect.count or 0
            if op.branches or op.code == CHOOSE:
                first = turning.first_branch(effect)
                yield from follow(rest[:count], states if first is None else states & frozenset(first))
                yield from follow(rest[count:], states if first is None else states - frozenset(first))
                return
            for source, target in turning.turns(effect):
                if source in states:
                    text = f"{card.card} ({effect.when}: {effect.op}) turns {turning.states[source]} to {turning.states[target]}"
                    yield Arrow(source, target, (*card.where, index, "op"), effect.op, text)
            if op.raises:
                states = every  # answers to it may have turned anything

    for moment in sorted(raised & {effect.when or "" for effect in card.effects}):
        yield from follow([entry for entry in enumerate(card.effects) if entry[1].when == moment], every)


def _circle(arrows: Sequence[Arrow]) -> list[Arrow]:
    """A circle of arrows; empty if there is none."""
    kept = list(arrows)
    while lost := [arrow for arrow in kept if arrow.target not in {other.source for other in kept}]:
        kept = [arrow for arrow in kept if arrow not in lost]
    if not kept:
        return []
    walk = [kept[0]]
    while walk[-1].target not in {arrow.source for arrow in walk}:
        walk.append(next(arrow for arrow in kept if arrow.source == walk[-1].target))
    return walk[next(i for i, arrow in enumerate(walk) if arrow.source == walk[-1].target) :]
