"""What pictures are checked by: everything that is written and every die, with its place."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from deckwood.core import drawing
from deckwood.core.spec import GameSpec, LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import drawing as dice_drawing
from deckwood.strong.deck import Words, card_text, rows_of
from deckwood.strong.steps import CHOOSING, EFFECTS, OFFERED, TESTING
from deckwood.strong.terms import COUNT, OP, WHEN
from deckwood.strong.vocabulary import CHOOSE, OFFER, TEST
from deckwood.strong.words import question

Box = tuple[float, float, float, float]
SINGULAR = re.compile(r"(?<![\d-])1 (?:\w+ )?(cards|dice|enemies|spaces|items|rounds|hits|misses|times|stats)\b")
"""What is wrong after a single one."""


class Seen:
    """A picture as what was written where, and where the dice are."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, Box, int]] = []
        self.dice: list[Box] = []
        self.cut: list[str] = []

    @property
    def words(self) -> str:
        return " ".join(text for text, _, _ in self.texts)

    def overlapping(self) -> list[tuple[str, str]]:
        """Texts that lie one over the other."""
        pairs = itertools.combinations(self.texts, 2)
        return [(one, other) for (one, a, _), (other, b, _) in pairs if overlap(a, b)]

    def colliding(self) -> list[tuple[Box, Box]]:
        """Dice that lie one over the other."""
        return [(a, b) for a, b in itertools.combinations(self.dice, 2) if overlap(a, b)]

    def covered(self) -> list[str]:
        """Texts that lie under a die."""
        return [text for text, box, _ in self.texts if any(overlap(box, die) for die in self.dice)]

    def outside(self, width: int, height: int) -> list[str]:
        """Texts that leave the picture."""
        return [text for text, (x, y, w, h), _ in self.texts if x < 0 or y < 0 or x + w > width + 1 or y + h > height + 1]


def overlap(a: Box, b: Box) -> bool:
    """True where two boxes have more than a pixel in common."""
    return min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > 1 and min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 1


@pytest.fixture
def see(monkeypatch: pytest.MonkeyPatch) -> Callable[[GameSpec, Any, LoadedDeck], Seen]:
    """Draws a position and tells what was written and drawn."""
    pytest.importorskip("pygame")
    seen = Seen()
    inside_a_die = [False]
    text, shorten, die = drawing.Canvas.text, drawing.shortened, dice_drawing.draw_die

    def text_seen(canvas, place, content, size, colour=drawing.INK, align=0):
        if content and not inside_a_die[0]:
            width = drawing.text_width(content, size)
            seen.texts.append((content, (place[0] - align * width, place[1], width, 0.62 * size), size))
        text(canvas, place, content, size, colour, align)

    def shorten_seen(content, size, width):
        found = shorten(content, size, width)
        if found != content:
            seen.cut.append(content)
        return found

    def die_seen(canvas, place, size, colour, face=None, picked=False):
        seen.dice.append((*place, dice_drawing.die_width(size, face), size))
        inside_a_die[0] = True
        die(canvas, place, size, colour, face, picked)
        inside_a_die[0] = False

    monkeypatch.setattr(drawing.Canvas, "text", text_seen)
    monkeypatch.setattr(drawing, "shortened", shorten_seen)
    monkeypatch.setattr(dice_drawing, "draw_die", die_seen)

    def draw(spec: GameSpec, s: Any, deck: LoadedDeck) -> Seen:
        seen.__init__()
        picture = spec.draw(s, deck)
        assert not seen.outside(picture.shape[1], picture.shape[0])
        return seen

    return draw


def new(spec: GameSpec, deck: LoadedDeck, **options: Any) -> Any:
    """A fresh position at its first node, without a compiler."""
    position = np.zeros(1, spec.dtype).view(np.recarray)
    uncompiled(spec.rules.setup)(position[0], deck.tables, spec.encode_options(options, deck))
    return position[0]


def at_step(s: Any, *steps: Any) -> Any:
    """The position with nothing on its agenda but a step, or these steps, the last one first."""
    rows = [step if isinstance(step, tuple) else (step,) for step in steps] if steps and isinstance(steps[0], tuple) else [steps]
    s.node, s.depth = Node.DECISION, len(rows)
    s.agenda[:] = 0
    for place, row in enumerate(rows):
        s.agenda[place, : len(row)] = row
    return s


def longest(deck: LoadedDeck, words: Words, faces: range, number: int) -> list[int]:
    """The faces with the longest texts, in their order."""
    return sorted(sorted(faces, key=lambda face: -len(card_text(deck.tables, face, words)))[:number])


def questions(deck: LoadedDeck, words: Words, s: Any) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The steps of every offer, choice and test of a deck's cards, those with the longest texts last."""
    effects, found = deck.tables.effects, []
    for face in np.flatnonzero(deck.tables.cards["count"]):
        stop = rows_of(deck.tables, face).stop
        for row in range(rows_of(deck.tables, face).start, stop):
            count = int(effects[row, COUNT])
            step = {OFFER: (OFFERED,), CHOOSE: (CHOOSING, count), TEST: (TESTING, 0, count)}.get(int(effects[row, OP]))
            if step is None:
                continue
            end = next((end for end in range(row + 1, stop) if effects[end, WHEN] != effects[row, WHEN]), stop)
            steps = (EFFECTS, row + 1, end), step
            found.append((len(question(at_step(s, *steps), deck, words)), steps))
    assert len(found) > 5
    return [steps for _, steps in sorted(found)]


def check_words(spec: GameSpec, s: Any, deck: LoadedDeck, legal: np.ndarray) -> None:
    """No two legal actions are told alike, and nothing is counted wrongly."""
    texts = [spec.action_text(s, deck, int(action)) for action in legal]
    assert len(set(texts)) == len(texts), texts
    for text in (*texts, *spec.describe(s, deck).splitlines()):
        assert not SINGULAR.search(text), text
