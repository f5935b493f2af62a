"""Dice in a picture: they neither collide nor leave their place."""

import itertools

import numpy as np
import pytest

from deckwood.core import drawing
from deckwood.strong.drawing import SMALLEST, die_width, draw_die, lay_out
from deckwood.strong.terms import COLOURS, CRIT, FACES, HIT, MISS
from tests.strong.tables import overlap

pytest.importorskip("pygame")


@pytest.mark.parametrize("number", [1, 7, 17, 40])
@pytest.mark.parametrize("box", [(10, 20, 120, 24), (0, 0, 250, 60), (5, 5, 90, 90)])
def test_dice_keep_to_their_box(number, box):
    rng = np.random.default_rng(number)
    dice = sorted((int(rng.integers(5)), int(rng.integers(3))) for _ in range(number))
    size, placed = lay_out(box, 24, dice)
    assert sum(n for _, n, _ in placed) == number
    boxes = [(*place, die_width(size, die[1]), size) for die, _, place in placed]
    assert not any(overlap(a, b) for a, b in itertools.combinations(boxes, 2))
    for left, top, width, height in boxes:
        assert box[0] <= left <= left + width <= box[0] + box[2]
        assert box[1] <= top <= top + height <= box[1] + box[3]


def test_dice_become_smaller_before_they_are_counted():
    box = (0, 0, 300, 24)
    assert lay_out(box, 24, [(0, HIT)] * 4)[0] == 24
    size, placed = lay_out(box, 24, [(0, HIT)] * 8)
    assert SMALLEST <= size < 24
    assert len(placed) == 8
    size, placed = lay_out(box, 24, [(0, HIT)] * 12 + [(1, CRIT)] * 9)
    assert size == 24
    assert [(die, n) for die, n, _ in placed] == [((0, HIT), 12), ((1, CRIT), 9)]


def test_every_die_has_its_letter_and_what_it_shows(monkeypatch):
    """Colour alone tells nothing: with all dice in one colour, each still looks different."""
    from deckwood.strong import drawing as ours

    monkeypatch.setattr(ours, "DICE", ((120, 120, 120),) * len(COLOURS))
    pictures = set()
    for colour, face in itertools.product(range(1, len(COLOURS)), (None, MISS, HIT, CRIT)):  # yellow has dark ink
        canvas = drawing.Canvas(60, 40, drawing.PAPER)
        draw_die(canvas, (5, 5), 24, colour, face)
        pictures.add(canvas.pixels().tobytes())
    assert len(pictures) == (len(COLOURS) - 1) * (len(FACES) + 1)


def test_a_die_to_choose_has_a_frame():
    pictures = []
    for picked in (False, True):
        canvas = drawing.Canvas(60, 40, drawing.PAPER)
        draw_die(canvas, (10, 8), 24, 2, HIT, picked)
        pictures.append(canvas.pixels())
    inside = np.s_[12:28, 14:44]
    assert np.array_equal(pictures[0][inside], pictures[1][inside])
    assert not np.array_equal(*pictures)


def test_texts_shrink_before_they_are_cut():
    canvas, written = drawing.Canvas(200, 200, drawing.PAPER), []
    canvas.text = lambda place, text, size, colour=drawing.INK, align=0: written.append((text, size))
    text = "one two three four five six seven eight nine ten " * 4
    canvas.paragraph((0, 0, 190, 52), text.strip(), 20, 14)
    assert " ".join(line for line, _ in written) == text.strip()
    assert drawing.LAST_SIZE <= written[0][1] < 14
    written.clear()
    canvas.paragraph((0, 0, 190, 20), text.strip(), 20, 14)
    assert written[-1][0].endswith("...")
