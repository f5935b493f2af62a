"""The fast solver's inner loops: dice are counts by colour, enemies are one number, the *board*.

A state between rolls is (r, h, b): ready dice and dice in hand (committed, not applied), both by colour, and the board. Values of all
states lie in tables ``(rows, boards)``; the rows of one r lie together, with h in mixed radix. After a roll the dice of each colour are
a triple (misses, hits, crits), one of :data:`FACES`. What a roll brings is summed one colour at a time: the multinomial chances of
the colours multiply, so joint outcomes are never enumerated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule

MAX_PER_COLOUR = 4
FACES: NDArray[np.int64] = np.array(
    [
        (n - hits - crits, hits, crits)
        for n in range(MAX_PER_COLOUR + 1)
        for crits in range(n + 1)
        for hits in range(n - crits + 1)
    ]
)  # fmt: skip
"""Every triple (misses, hits, crits) of up to four dice, fewer dice first, so that the triples of n dice or fewer are the first ones."""
_PLACE = {tuple(face): index for index, face in enumerate(FACES.tolist())}
UP_TO: NDArray[np.int64] = np.array([sum(face.sum() <= n for face in FACES) for n in range(MAX_PER_COLOUR + 1)])
LESS: NDArray[np.int64] = np.array(
    [[_PLACE.get((m, h - 1, c), -1) for m, h, c in FACES.tolist()], [_PLACE.get((m, h, c - 1), -1) for m, h, c in FACES.tolist()]]
)
"""The triple that is left when a hit (row 0) or a crit (row 1) has been applied."""
DICE: NDArray[np.int64] = FACES.sum(axis=1)
NEVER = -1e300
SAME = 1e-12  # values closer than this count as equal


class Rules(NamedTuple):
    """A fight as the loops read it. ``b`` ranges over boards, colours are 0 to 4.

    Why the weakest may go first where colours do the same: take two dice that show the same, of which one is applied. Each colour has
    one crit side, and a stronger one all the hits of a weaker. So with the same luck the stronger die, if it is the one left in hand,
    goes on to show what the weaker would have shown, or a hit where that would have missed; and a hit that is not applied is as good as
    a miss: it is rolled again, and exhausted in the end. So nothing is lost, whatever the values of the boards.
    """

    size: NDArray[np.int64]  # (5,) dice that are ready or in hand at the start
    held: NDArray[np.int64]  # (5,) ready dice beside those, which are not committed
    spent: NDArray[np.int64]  # (5,) dice exhausted by then
    gone: NDArray[np.int64]  # (5,) dice applied by then that will be exhausted with the rest
    chances: NDArray[np.float64]  # (5, faces) of each triple when as many dice are rolled
    to: NDArray[np.int16]  # (targets, 5, 2, b) the board after a hit or crit of a colour is applied to a target; -1: it may not be
    fresh: NDArray[np.int16]  # (b,) the board when the next roll has begun
    passes: NDArray[np.int16]  # (b,) how often the Strategy phase may be played; 0 when no enemy stands
    limit: NDArray[np.int16]  # (b,) dice that may be committed at once
    total: NDArray[np.int16]  # (b,) ... and in the engagement, counted from the start
    banned: NDArray[np.int16]  # (b,) bits of colours that may not be committed
    one_each: NDArray[np.bool_]  # (b,) one die of a colour at once
    whole: NDArray[np.bool_]  # (b,) all ready dice of a colour or none
    free: bool  # there is no such limit on any board
    fixed_misses: bool  # misses may not be rerolled
    weakest_first: bool  # all colours do the same to all boards, and have the sides of the box: the weakest of those that show the same go
    # The Resolve phase
    value: NDArray[np.float64]  # (b,) of all but dice
    final: NDArray[np.bool_]  # (b,) dice add nothing: the hero is dead, or the game is won
    prize: NDArray[np.int16]  # (b,) dice recovered by rewards, from those spent
    regain: NDArray[np.int16]  # (b,) dice recovered in the Recover Dice step
    bonus: int  # the colour of a further die recovered then; -1: there is none
    ready_value: NDArray[np.float64]  # (5,) of a ready die
    number_value: NDArray[np.float64]  # (dice + 1,) value of having n ready dice, whatever their colours
    by_value: NDArray[np.int64]  # (5,) colours, the most valuable first
    logistic: bool  # the sum of values is the logarithm of odds, of which the chance is the value; boards that are final are no sums


@rule
def value_of_sum(rules, sum_of_values, b):
    """The value of a position after Resolve, from the values of its dice and of the rest."""
    if rules.logistic and not rules.final[b]:
        return 1.0 / (1.0 + np.exp(-sum_of_values))
    return sum_of_values


@rule
def next_count(digits, limits):
    """Counts ``digits`` up, each from 0 to its limit, the last fastest; False when they have come round to zero."""
    for c in range(4, -1, -1):
        digits[c] += 1
        if digits[c] <= limits[c]:
            return True
        digits[c] = 0
    return False


@rule
def first_rows(size, out):
    """The first row of every r, into ``out``; returns how many rows there are. r is counted in mixed radix, the last colour fastest."""
    rows = 0
    r = np.zeros(5, np.int64)
    for i in range(len(out)):
        out[i] = rows
        n = 1
        for c in range(5):
            n *= size[c] - r[c] + 1
        rows += n
        next_count(r, size)
    return rows


@rule
def place_of(size, r):
    """The number of r."""
    i = 0
    for c in range(5):
        i = i * (size[c] + 1) + r[c]
    return i


@rule
def row_of(size, first, r, h):
    """The row of a state."""
    row = 0
    for c in range(5):
        row = row * (size[c] - r[c] + 1) + h[c]
    return first[place_of(size, r)] + row


@rule
def recovered(rules, b, ready, exhausted, out):
    """``out`` (5,): the ready dice when as many as rewards and Recovery allow have been recovered, the most valuable first.

    Dice whose colour has no value above 0 are left; ``number_value`` must not fall.
    """
    for c in range(5):
        out[c] = ready[c]
    if rules.final[b]:
        return
    left = int(rules.prize[b])
    for i in range(5):
        c = rules.by_value[i]
        if rules.ready_value[c] > 0.0:
            n = min(left, min(rules.spent[c], exhausted[c]))
            out[c] += n
            left -= n
    if rules.bonus >= 0 and rules.regain[b] > 0 and rules.ready_value[rules.bonus] > 0.0:
        c = rules.bonus
        if exhausted[c] + ready[c] - out[c] > 0:
            out[c] += 1
    left = int(rules.regain[b])
    for i in range(5):
        c = rules.by_value[i]
        if rules.ready_value[c] > 0.0:
            n = min(left, exhausted[c] + ready[c] - out[c])
            out[c] += n
            left -= n


@rule
def value_after(rules, b, r, exhausted, ready):
    """The value of resolving now. ``exhausted`` and ``ready`` (5,) are filled with the dice before and after recovery."""
    for c in range(5):
        exhausted[c] = rules.spent[c] + rules.gone[c] + rules.size[c] - r[c]
    recovered(rules, b, r, exhausted, ready)
    for c in range(5):
        ready[c] += rules.held[c]
    value = rules.value[b]
    if not rules.final[b]:
        number = 0
        for c in range(5):
            value += rules.ready_value[c] * ready[c]
            number += ready[c]
        value += rules.number_value[number]
    return value_of_sum(rules, value, b)


@rule
def fill_stops(rules, stops):
    """The value of resolving at every state: dice in hand are exhausted whether they have been applied or not."""
    r = np.zeros(5, np.int64)
    exhausted = np.zeros(5, np.int64)
    ready = np.zeros(5, np.int64)
    row = 0
    while True:
        rows = 1
        for c in range(5):
            rows *= rules.size[c] - r[c] + 1
        for b in range(stops.shape[1]):
            value = value_after(rules, b, r, exhausted, ready)
            for i in range(row, row + rows):
                stops[i, b] = value
        row += rows
        if not next_count(r, rules.size):
            return


@rule
def may_commit(rules, b, r, k, n, already):
    """True if k dice, n in all, may be committed from r, when ``already`` have been in this step."""
    if n == 0:
        return True
    committed = 0
    cut = 0
    for c in range(5):
        committed += rules.size[c] - r[c]
        if k[c] > 0 and (rules.banned[b] >> c) & 1:
            return False
        if rules.one_each[b] and k[c] > 1:
            return False
        if rules.whole[b] and 0 < k[c] < r[c]:
            cut += 1
    if cut > 1:
        return False  # one colour goes after another
    if cut == 1 and n + already < rules.limit[b] and committed + n < rules.total[b]:
        return False  # only a limit can leave dice of a colour behind
    return n + already <= rules.limit[b] and committed + n <= rules.total[b]


@rule
def fill_commits(rules, first, rolled, out):
    """The best value of committing and rolling at every state, from the values ``rolled`` of having dice in hand when they are rolled."""
    size = rules.size
    if rules.free:
        fill_free_commits(size, first, rolled, out)
        return
    if limited_alone(rules):
        fill_limited_commits(size, first, rules.limit, rolled, out)
        return
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    k = np.zeros(5, np.int64)
    left = np.zeros(5, np.int64)
    hand = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    row = 0
    while True:
        for c in range(5):
            room[c] = size[c] - r[c]
        while True:
            for b in range(out.shape[1]):
                out[row, b] = NEVER
            while True:
                n = 0
                for c in range(5):
                    n += k[c]
                    left[c] = r[c] - k[c]
                    hand[c] = h[c] + k[c]
                source = row_of(size, first, left, hand)
                for b in range(out.shape[1]):
                    if rolled[source, b] > out[row, b] and may_commit(rules, b, r, k, n, 0):
                        out[row, b] = rolled[source, b]
                if not next_count(k, r):
                    break
            row += 1
            if not next_count(h, room):
                break
        if not next_count(r, size):
            return


@rule
def fill_free_commits(size, first, rolled, out):
    """The same where any dice may be committed: colour by colour, none or one and what is best then."""
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    for row in range(len(out)):
        for b in range(out.shape[1]):
            out[row, b] = rolled[row, b]
    for c in range(5):
        row = 0
        while True:
            for i in range(5):
                room[i] = size[i] - r[i]
            while True:
                if r[c] > 0:
                    r[c] -= 1
                    h[c] += 1
                    source = row_of(size, first, r, h)
                    r[c] += 1
                    h[c] -= 1
                    for b in range(out.shape[1]):
                        out[row, b] = max(out[row, b], out[source, b])
                row += 1
                if not next_count(h, room):
                    break
            if not next_count(r, size):
                break


@rule
def limited_alone(rules):
    """True if the number of dice per commit is the only limit."""
    dice = 0
    for c in range(5):
        dice += rules.size[c]
    for b in range(len(rules.limit)):
        if rules.total[b] < dice or rules.banned[b] != 0 or rules.one_each[b] or rules.whole[b]:
            return False
    return True


@rule
def fill_limited_commits(size, first, limit, rolled, out):
    """The same with a limit on the dice committed at once: up to n are one, and up to n - 1 from there."""
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    dice, most = 0, 0
    for c in range(5):
        dice += size[c]
    for b in range(out.shape[1]):
        most = max(most, min(dice, int(limit[b])))
    for row in range(len(out)):
        for b in range(out.shape[1]):
            out[row, b] = rolled[row, b]
    for n in range(1, most + 1):
        for i in range(len(first) - 1, -1, -1):  # so that those with a die less ready still hold up to n - 1
            rest = i
            for c in range(4, -1, -1):
                r[c] = rest % (size[c] + 1)
                rest //= size[c] + 1
                room[c] = size[c] - r[c]
            row = first[i]
            while True:
                for c in range(5):
                    if r[c] == 0:
                        continue
                    r[c] -= 1
                    h[c] += 1
                    source = row_of(size, first, r, h)
                    r[c] += 1
                    h[c] -= 1
                    for b in range(out.shape[1]):
                        if n <= limit[b]:
                            out[row, b] = max(out[row, b], out[source, b])
                row += 1
                if not next_count(h, room):
                    break


class Shown(NamedTuple):
    """What dice may show, colour by colour: ``n`` (5,) entries each. Tables for hits (0) and crits (1)."""

    n: NDArray[np.int64]
    hand: NDArray[np.int64]  # (5, entries) dice that stay in hand if no more are applied
    hits: NDArray[np.int64]  # (2, 5, entries) how many of them
    less: NDArray[np.int64]  # (2, 5, entries) the entry that is left when one has been applied


def no_shown() -> Shown:
    """Room for :func:`show_up_to` and :func:`show`."""
    n = len(FACES)
    return Shown(np.zeros(5, np.int64), np.zeros((5, n), np.int64), np.zeros((2, 5, n), np.int64), np.zeros((2, 5, n), np.int64))


@rule
def show_up_to(rules, most, shown):
    """All that up to ``most`` (5,) dice of each colour may show; an entry's number is its place in FACES."""
    for c in range(5):
        shown.n[c] = UP_TO[most[c]]
        for i in range(shown.n[c]):
            shown.hand[c, i] = DICE[i] - (FACES[i, 0] if rules.fixed_misses else 0)
            for face in range(2):
                shown.hits[face, c, i] = FACES[i, 1 + face]
                shown.less[face, c, i] = LESS[face, i]


@rule
def show(rules, faces, shown):
    """What is left of one roll, ``faces`` (5, 3), when some hits and crits have been applied; the last entry of each is all of it."""
    for c in range(5):
        i = 0
        for hits in range(faces[c, 1] + 1):
            for crits in range(faces[c, 2] + 1):
                shown.hits[0, c, i] = hits
                shown.hits[1, c, i] = crits
                shown.hand[c, i] = hits + crits + (0 if rules.fixed_misses else faces[c, 0])
                shown.less[0, c, i] = i - (faces[c, 2] + 1)
                shown.less[1, c, i] = i - 1
                i += 1
        shown.n[c] = i


@rule
def block_of(n, at):
    """The block of an entry: what the first three colours show."""
    return (at[0] * n[1] + at[1]) * n[2] + at[2]


@rule
def place_in_block(n, at):
    return at[3] * n[4] + at[4]


@rule
def room_for_cells(n):
    """(blocks, places) that all entries of dice with n (5,) entries each take."""
    return n[0] * n[1] * n[2], n[3] * n[4]


@rule
def fill_cells(rules, first, after, r, shown, cells):
    """The best value of applying dice, for all that they may show and every board, when r dice are ready.

    ``after`` are the values when no more are applied. ``cells`` is (blocks, boards, places): a block is what the first three colours
    show, a place what the last two do. An entry with a die less comes before it, so one pass in order is enough.
    """
    boards, places, targets = cells.shape[1], cells.shape[2], rules.to.shape[0]
    n, hits, less, to = shown.n, shown.hits, shown.less, rules.to
    at = np.zeros(5, np.int64)
    last = n - 1
    last[3] = 0
    last[4] = 0
    width = rules.size - r + 1
    base = first[place_of(rules.size, r)]
    hand = np.empty(places, np.int64)
    for place in range(places):
        hand[place] = shown.hand[3, place // n[4]] * width[4] + shown.hand[4, place % n[4]]
    step = np.array([n[1] * n[2], n[2], 1])
    waiting = np.zeros(2, np.bool_)  # whether hits, crits of the last two colours may be applied too
    block = 0
    while True:
        row = 0
        for c in range(3):
            row = row * width[c] + shown.hand[c, at[c]]
        row = base + row * width[3] * width[4]
        for b in range(boards):
            fresh = int(rules.fresh[b])
            for place in range(places):
                cells[block, b, place] = after[row + hand[place], fresh]
        for face in range(2):
            waiting[face] = True
            for c in range(3):
                if hits[face, c, at[c]] == 0:
                    continue
                source = block - (at[c] - less[face, c, at[c]]) * step[c]
                for t in range(targets):
                    for b in range(boards):
                        there = int(to[t, c, face, b])
                        if there >= 0:
                            for place in range(places):
                                cells[block, b, place] = max(cells[block, b, place], cells[source, there, place])
                if rules.weakest_first:
                    waiting[face] = False
                    break
        if waiting[0] or waiting[1]:
            for place in range(places):
                for face in range(2):
                    for c in range(3, 5):
                        i = place // n[4] if c == 3 else place % n[4]
                        if hits[face, c, i] == 0 or not waiting[face]:
                            continue
                        source = place - (i - less[face, c, i]) * (n[4] if c == 3 else 1)
                        for t in range(targets):
                            for b in range(boards):
                                there = int(to[t, c, face, b])
                                if there >= 0:
                                    cells[block, b, place] = max(cells[block, b, place], cells[block, there, source])
                        if rules.weakest_first:
                            break
        block += 1
        if not next_count(at, last):
            return


@rule
def add_multiple(chance, source, begin, target, at, length):
    """``target[at : at + length] += chance * source[begin : begin + length]``, without the arrays in between."""
    for x in range(length):
        target[at + x] += chance * source[begin + x]


@rule
def expect(rules, most, cells, spare, out):
    """The mean of ``cells`` over what dice in hand show: rows of ``out`` are h from 0 to ``most``, in mixed radix.

    One colour is summed at a time. ``cells`` and ``spare``, (entries * boards,) each, are written over.
    """
    boards = out.shape[1]
    places = UP_TO[most[3]] * UP_TO[most[4]]
    left = 1  # entries of the colours before, by h
    right = UP_TO[most[1]] * UP_TO[most[2]] * boards * places  # values of each entry of this colour: those after it, by what they show
    source, target = cells, spare
    for c in range(3):
        n, m = UP_TO[most[c]], most[c] + 1
        for x in range(left * m * right):
            target[x] = 0.0
        for i in range(left):
            for face in range(n):
                if rules.chances[c, face] > 0.0:
                    add_multiple(rules.chances[c, face], source, (i * n + face) * right, target, (i * m + DICE[face]) * right, right)
        source, target = target, source
        left *= m
        if c < 2:
            right //= UP_TO[most[c + 1]]
    n, m = UP_TO[most[4]], most[4] + 1
    rows = (most[3] + 1) * m
    out[:] = 0.0
    for i in range(left):
        for place in range(places):
            chance = rules.chances[3, place // n] * rules.chances[4, place % n]
            if chance > 0.0:
                row = i * rows + DICE[place // n] * m + DICE[place % n]
                for b in range(boards):
                    out[row, b] += chance * source[(i * boards + b) * places + place]


@rule
def fill_totals(rules, totals):
    """The joint distribution of hits and crits when h dice are rolled: ``totals`` is (number of h, hits, crits)."""
    h = np.zeros(5, np.int64)
    i = 0
    while True:
        now = np.zeros(totals.shape[1:])
        now[0, 0] = 1.0
        for c in range(5):
            before = now.copy()
            now[:] = 0.0
            for face in range(UP_TO[h[c] - 1] if h[c] > 0 else 0, UP_TO[h[c]]):
                hits, crits = FACES[face, 1], FACES[face, 2]
                for x in range(hits, len(now)):
                    for y in range(crits, len(now) - x):
                        now[x, y] += rules.chances[c, face] * before[x - hits, y - crits]
        totals[i] = now
        i += 1
        if not next_count(h, rules.size):
            return


@rule
def roll_last(rules, first, stops, totals, rolled):
    """``rolled`` of the last pass where the weakest dice go first: only the numbers of hits and crits matter, as no die is rolled again."""
    size, to = rules.size, rules.to
    boards = stops.shape[1]
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    most = totals.shape[1] - 1
    best = np.empty((most + 1, most + 1, boards))
    row = 0
    while True:
        dice = 0
        for c in range(5):
            room[c] = size[c] - r[c]
            dice += room[c]
        for hits in range(dice + 1):
            for crits in range(dice + 1 - hits):
                for b in range(boards):
                    best[hits, crits, b] = stops[row, rules.fresh[b]]
                for t in range(to.shape[0]):
                    for b in range(boards):
                        if hits > 0 and to[t, 0, 0, b] >= 0:
                            best[hits, crits, b] = max(best[hits, crits, b], best[hits - 1, crits, to[t, 0, 0, b]])
                        if crits > 0 and to[t, 0, 1, b] >= 0:
                            best[hits, crits, b] = max(best[hits, crits, b], best[hits, crits - 1, to[t, 0, 1, b]])
        while True:
            i = place_of(size, h)
            n = h[0] + h[1] + h[2] + h[3] + h[4]
            for b in range(boards):
                rolled[row, b] = 0.0
            for hits in range(n + 1):
                for crits in range(n + 1 - hits):
                    chance = totals[i, hits, crits]
                    if chance > 0.0:
                        for b in range(boards):
                            rolled[row, b] += chance * best[hits, crits, b]
            row += 1
            if not next_count(h, room):
                break
        if not next_count(r, size):
            return


@rule
def fill_reach(rules, start, reach):
    """Marks the boards that each number of hits and crits can make of ``start``: ``reach`` is (hits, crits, boards)."""
    reach[:] = False
    reach[0, 0, start] = True
    for hits in range(len(reach)):
        for crits in range(len(reach) - hits):
            for b in range(reach.shape[2]):
                if reach[hits, crits, b]:
                    for t in range(rules.to.shape[0]):
                        if rules.to[t, 0, 0, b] >= 0 and hits + 1 < len(reach):
                            reach[hits + 1, crits, rules.to[t, 0, 0, b]] = True
                        if rules.to[t, 0, 1, b] >= 0 and crits + 1 < len(reach):
                            reach[hits, crits + 1, rules.to[t, 0, 1, b]] = True


@rule
def roll_first(rules, first, after, start, rolled):
    """``rolled`` of the first pass where the weakest dice go first: only for the board ``start`` and where no die has been applied."""
    size = rules.size
    most = 0  # not size.sum(): machine code that uses it imports SciPy when it is loaded from disk
    for c in range(5):
        most += size[c]
    reach = np.zeros((most + 1, most + 1, after.shape[1]), np.bool_)
    fill_reach(rules, start, reach)
    boards = np.zeros((most + 1, most + 1, after.shape[1]), np.int64)
    found = np.zeros((most + 1, most + 1), np.int64)
    for hits in range(most + 1):
        for crits in range(most + 1 - hits):
            for b in range(after.shape[1]):
                if reach[hits, crits, b]:
                    boards[hits, crits, found[hits, crits]] = rules.fresh[b]
                    found[hits, crits] += 1
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    step = np.zeros(5, np.int64)
    faces = np.zeros(5, np.int64)
    last = np.zeros(5, np.int64)
    hit_steps = np.zeros(most + 1, np.int64)
    crit_steps = np.zeros(most + 1, np.int64)
    while True:
        width = 1
        for c in range(4, -1, -1):
            h[c] = size[c] - r[c]
            step[c] = width
            width *= h[c] + 1
            last[c] = UP_TO[h[c]] - 1
            faces[c] = UP_TO[h[c] - 1] if h[c] > 0 else 0
        base = first[place_of(size, r)]
        mean = 0.0
        while True:
            chance = 1.0
            hits, crits, row = 0, 0, base
            for c in range(5):
                face = faces[c]
                chance *= rules.chances[c, face]
                for _ in range(FACES[face, 1]):
                    hit_steps[hits] = step[c]
                    hits += 1
                for _ in range(FACES[face, 2]):
                    crit_steps[crits] = step[c]
                    crits += 1
                row += step[c] * (DICE[face] - (FACES[face, 0] if rules.fixed_misses else 0))
            if chance > 0.0:
                best = NEVER
                for x in range(hits + 1):
                    there = row
                    for y in range(crits + 1):
                        for i in range(found[x, y]):
                            best = max(best, after[there, boards[x, y, i]])
                        if y < crits:
                            there -= crit_steps[y]
                    if x < hits:
                        row -= hit_steps[x]
                mean += chance * best
            if not next_roll(faces, h, last):
                break
        rolled[row_of(size, first, r, h), start] = mean
        if not next_count(r, size):
            return


@rule
def roll_all(rules, first, after, rolled, cells, spare, shown):
    """``rolled`` of a pass, from the values when its dice have been applied."""
    size = rules.size
    room = np.zeros(5, np.int64)
    r = np.zeros(5, np.int64)
    boards = after.shape[1]
    i = 0
    while True:
        rows = 1
        for c in range(5):
            room[c] = size[c] - r[c]
            rows *= room[c] + 1
        show_up_to(rules, room, shown)
        blocks, places = room_for_cells(shown.n)
        fill_cells(rules, first, after, r, shown, cells[: blocks * places * boards].reshape(blocks, boards, places))
        expect(rules, room, cells, spare, rolled[first[i] : first[i] + rows])
        i += 1
        if not next_count(r, size):
            return


@rule
def fill_after(rules, first, stops, u, following, after):
    """The values when the dice of pass u have been applied: to resolve, or to commit more and roll again."""
    fill_commits(rules, first, following, after)
    for row in range(len(after)):
        for b in range(after.shape[1]):
            if rules.passes[b] <= u or stops[row, b] >= after[row, b]:
                after[row, b] = stops[row, b]


@rule
def best_commit(rules, first, rolled, r, h, b, already, lowest, k_best):
    """The best dice to commit at a state, into ``k_best`` (5,); returns their value. Colours below ``lowest`` may no longer be."""
    size = rules.size
    k = np.zeros(5, np.int64)
    most = np.zeros(5, np.int64)
    left = np.zeros(5, np.int64)
    hand = np.zeros(5, np.int64)
    for c in range(lowest, 5):
        most[c] = r[c]
    best = NEVER
    fewest = 0
    while True:
        n = 0
        for c in range(5):
            n += k[c]
            left[c] = r[c] - k[c]
            hand[c] = h[c] + k[c]
        if may_commit(rules, b, r, k, n, already):
            value = rolled[row_of(size, first, left, hand), b]
            if value > best + SAME or (value > best - SAME and n < fewest):
                best, fewest = max(best, value), n
                for c in range(5):
                    k_best[c] = k[c]
        if not next_count(k, most):
            return best


@rule
def best_die(rules, cells, shown, at, b):
    """The die to apply next: colour, face (0 hit, 1 crit), target, or -1s where it is best to apply no more.

    Where it makes no difference, a die is applied.
    """
    value = cells[block_of(shown.n, at), b, place_in_block(shown.n, at)]
    for face in range(1, -1, -1):
        for c in range(5):
            now = at[c]
            if shown.hits[face, c, now] == 0:
                continue
            at[c] = shown.less[face, c, now]
            block, place = block_of(shown.n, at), place_in_block(shown.n, at)
            at[c] = now
            for t in range(rules.to.shape[0]):
                there = int(rules.to[t, c, face, b])
                if there >= 0 and there != b and cells[block, there, place] >= value - SAME:
                    return c, face, t
            if rules.weakest_first:
                break
    return -1, -1, -1


@rule
def apply_best(rules, cells, shown, at, b, plan):
    """Applies the best dice: ``at`` (5,) is led to what is left; ``plan`` (dice, 3) takes what went where.

    Returns the board and the number of dice.
    """
    n = 0
    while True:
        c, face, t = best_die(rules, cells, shown, at, b)
        if c < 0:
            return b, n
        if n < len(plan):
            plan[n, 0] = c
            plan[n, 1] = face
            plan[n, 2] = t
        n += 1
        at[c] = shown.less[face, c, at[c]]
        b = int(rules.to[t, c, face, b])


@rule
def play_roll(rules, first, after, r, faces, b, hand, plan):
    """Applies the best of the dice in hand, which show ``faces`` (5, 3), to board b when r dice are ready.

    ``plan`` (dice, 3) takes colour, face (0 hit, 1 crit) and target of each, ``hand`` (5,) the dice that are not applied. Returns the
    value, the board as it is for the next roll, and the number of dice applied.
    """
    n = len(FACES)
    shown = Shown(np.zeros(5, np.int64), np.zeros((5, n), np.int64), np.zeros((2, 5, n), np.int64), np.zeros((2, 5, n), np.int64))
    show(rules, faces, shown)
    blocks, places = room_for_cells(shown.n)
    cells = np.empty((blocks, after.shape[1], places))
    fill_cells(rules, first, after, r, shown, cells)
    at = shown.n - 1
    value = cells[blocks - 1, b, places - 1]
    there, dice = apply_best(rules, cells, shown, at, b, plan)
    for c in range(5):
        hand[c] = shown.hand[c, at[c]]
    return value, int(rules.fresh[there]), dice


@rule
def carry_rolls(rules, first, after, r, most, mass, out, cells, shown):
    """Lets the mass of states with r ready dice, about to be rolled, flow to what is left when the best dice have been applied.

    ``most`` (5,) bounds their dice in hand; ``mass`` and ``out`` are tables like ``after``.
    """
    size = rules.size
    boards = after.shape[1]
    show_up_to(rules, most, shown)
    blocks, places = room_for_cells(shown.n)
    cells = cells[: blocks * places * boards].reshape(blocks, boards, places)
    fill_cells(rules, first, after, r, shown, cells)
    h = np.zeros(5, np.int64)
    faces = np.zeros(5, np.int64)
    at = np.zeros(5, np.int64)
    hand = np.zeros(5, np.int64)
    last = np.zeros(5, np.int64)
    plan = np.zeros((0, 3), np.int64)
    while True:
        row = row_of(size, first, r, h)
        for b in range(boards):
            if mass[row, b] <= 0.0:
                continue
            for c in range(5):
                last[c] = UP_TO[h[c]] - 1
                faces[c] = UP_TO[h[c] - 1] if h[c] > 0 else 0
            while True:
                chance = mass[row, b]
                for c in range(5):
                    chance *= rules.chances[c, faces[c]]
                    at[c] = faces[c]
                if chance > 0.0:
                    there, _ = apply_best(rules, cells, shown, at, b, plan)
                    for c in range(5):
                        hand[c] = shown.hand[c, at[c]]
                    out[row_of(size, first, r, hand), rules.fresh[there]] += chance
                if not next_roll(faces, h, last):
                    break
        if not next_count(h, most):
            return


@rule
def next_roll(faces, h, last):
    """Counts through all that exactly h dice may show."""
    for c in range(4, -1, -1):
        faces[c] += 1
        if faces[c] <= last[c]:
            return True
        faces[c] = UP_TO[h[c] - 1] if h[c] > 0 else 0
    return False


@rule
def carry(rules, first, stops, begin, rolled, after, mass, ended, cells, shown):
    """Plays the best policy from ``mass``, a table of states about to be rolled in pass ``begin``: ``ended`` takes where it resolves."""
    size = rules.size
    room = np.zeros(5, np.int64)
    most = np.zeros(5, np.int64)
    k = np.zeros(5, np.int64)
    left = np.zeros(5, np.int64)
    hand = np.zeros(5, np.int64)
    following = np.zeros_like(mass)
    for u in range(len(rolled)):
        following[:] = 0.0
        r = np.zeros(5, np.int64)
        while True:
            any_mass = False
            h = np.zeros(5, np.int64)
            for c in range(5):
                room[c] = size[c] - r[c]
                most[c] = 0
            row = first[place_of(size, r)]
            while True:
                for b in range(mass.shape[1]):
                    if mass[row, b] > 0.0:
                        any_mass = True
                        for c in range(5):
                            most[c] = max(most[c], h[c])
                row += 1
                if not next_count(h, room):
                    break
            if any_mass:
                carry_rolls(rules, first, after[u], r, most, mass, following, cells, shown)
            if not next_count(r, size):
                break
        mass[:] = 0.0
        r = np.zeros(5, np.int64)
        row = 0
        while True:
            h = np.zeros(5, np.int64)
            for c in range(5):
                room[c] = size[c] - r[c]
            while True:
                for b in range(mass.shape[1]):
                    share = following[row, b]
                    if share <= 0.0:
                        continue
                    if u + 1 == len(rolled) or after[u][row, b] <= stops[row, b] + SAME:
                        ended[row, b] += share
                        continue
                    best_commit(rules, first, rolled[u + 1], r, h, b, 0, 0, k)
                    for c in range(5):
                        left[c] = r[c] - k[c]
                        hand[c] = h[c] + k[c]
                    mass[row_of(size, first, left, hand), b] += share
                row += 1
                if not next_count(h, room):
                    break
            if not next_count(r, size):
                break


@rule
def tally(rules, ended, out):
    """Means over where fights ``ended``, a table of chances: dice committed, and dice ready when recovery is done, into ``out`` (2,)."""
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    exhausted = np.zeros(5, np.int64)
    ready = np.zeros(5, np.int64)
    out[:] = 0.0
    row = 0
    while True:
        committed = 0
        for c in range(5):
            room[c] = rules.size[c] - r[c]
            committed += room[c]
        while True:
            for b in range(ended.shape[1]):
                if ended[row, b] > 0.0:
                    value_after(rules, b, r, exhausted, ready)
                    out[0] += ended[row, b] * committed
                    for c in range(5):
                        out[1] += ended[row, b] * ready[c]
            row += 1
            if not next_count(h, room):
                break
        if not next_count(r, rules.size):
            return
