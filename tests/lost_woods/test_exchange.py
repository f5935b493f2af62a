"""Picking up and dropping on a visit: every outcome that the rulebook allows, by drops and takes in any order, has a spelling."""

import itertools
from collections import Counter

import pytest

from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import HELD, NONE
from tests.lost_woods.scenario import GOODS, SPACES, SPELLS, Table, deck_file, load

HAND, HERE, WELL = "hand", "here", "well"
ROOM = "e1"  # with the Meteor's well
WELLS = {"bolt": "n1", "fire": "n2", "meteor": ROOM, "tornado": "e2", "revive": "s2"}


def room(**spells: str) -> Table:
    """Seat 0 in the Meteor's room; where spells are: in hand, here on the ground, or in their wells."""
    t = Table(2).place(n1=(0, 1), n2=(0, 2), e1=(2, 0), e2=(3, 0), s2=(0, -1)).stand(0, ROOM)
    for spell, place in spells.items():
        t.s.spell_at[SPELLS.index(spell)] = HELD if place == HAND else SPACES.index(ROOM if place == HERE else WELLS[spell])
    return t.mark()


def read(t: Table) -> tuple[Counter, Counter, frozenset]:
    """What seat 0 carries, what lies here, and where spells are."""
    places = {HELD: HAND, SPACES.index(ROOM): HERE}
    spells = frozenset((spell, places.get(int(at), WELL)) for spell, at in zip(SPELLS, t.s.spell_at, strict=True) if at != NONE)
    here = SPACES.index(ROOM)
    return (
        frozenset(Counter(dict(zip(GOODS, t.s.carried[0].tolist(), strict=True))).items()),
        frozenset(zip(GOODS, t.s.lying[:, here].tolist(), strict=True)),
        spells,
    )


def spelled(t: Table) -> set[tuple]:
    """The outcomes that the mask leads to. No position comes twice on a path: exchanges end."""
    names = [action.name for action in SPEC.actions]
    exchanges = [i for i, name in enumerate(names) if name.startswith(("drop_", "take_"))]
    outcomes, finished, under_way = set(), set(), set()

    def follow(position) -> None:
        key = position.tobytes()
        assert key not in under_way
        if key in finished:
            return
        under_way.add(key)
        t.position, t.s = position, position[0]
        if t.phase == "move":
            outcomes.add(read(t))
        mask = t.game.legal(position)
        for action in exchanges:
            if mask[action]:
                after = position.copy()
                t.game.apply(after, action)
                after.decisions[:] = 0
                follow(after)
        under_way.discard(key)
        finished.add(key)

    start = t.position
    follow(start.copy())
    t.position, t.s = start, start[0]
    return outcomes


def allowed(t: Table, foes: bool = False) -> set[tuple]:
    """The outcomes by the rulebook alone: drop anything, take anything within the limits, and of three spells one goes to its well."""
    goods, ground, spells = read(t)
    start = (tuple(sorted(goods)), tuple(sorted(ground)), tuple(sorted(spells)))
    seen, waiting = {start}, [start]
    while waiting:
        held, lying, magic = waiting.pop()
        found = []
        for item in GOODS:
            own, there = dict(held), dict(lying)
            if own[item]:
                found.append(({**own, item: own[item] - 1}, {**there, item: there[item] + 1}, dict(magic)))
            room_for = not foes if item == "gold" else sum(own.values()) - own["gold"] < 3
            if there[item] and room_for:
                found.append(({**own, item: own[item] + 1}, {**there, item: there[item] - 1}, dict(magic)))
        for spell, place in magic:
            if place == HAND:
                found.append((dict(held), dict(lying), {**dict(magic), spell: HERE}))
            elif place == HERE:
                taken = {**dict(magic), spell: HAND}
                hand = [name for name, at in taken.items() if at == HAND]
                if len(hand) <= 2:
                    found.append((dict(held), dict(lying), taken))
                else:
                    found += [(dict(held), dict(lying), {**taken, back: HERE if WELLS[back] == ROOM else WELL}) for back in hand]
        for own, there, places in found:
            state = (tuple(sorted(own.items())), tuple(sorted(there.items())), tuple(sorted(places.items())))
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return {(frozenset(held), frozenset(lying), frozenset(magic)) for held, lying, magic in seen}


def test_a_third_spell_may_be_dropped_again() -> None:
    """Bolt and Fire in hand on the Meteor's well: take the Meteor, put Fire back, and leave the Meteor where it lies."""
    t = room(bolt=HAND, fire=HAND, meteor=HERE)
    t.do("take_meteor", "drop_fire")
    assert {"drop_bolt", "drop_meteor"} <= t.legal
    assert "drop_d6" not in t.legal
    t.do("drop_meteor")
    assert (t.carries(0), t.lies(ROOM), t.lies("n2")) == ({"d6": 1, "gold": 1, "bolt": 1}, {"meteor": 1}, {"fire": 1})
    assert not {name for name in t.legal if name.startswith("take_")}


def placements() -> list[dict[str, str]]:
    """All ways in which four spells can lie or be held."""
    spells = ("bolt", "fire", "meteor", "tornado")
    found = []
    for places in itertools.product((HAND, HERE, WELL), repeat=4):
        given = dict(zip(spells, places, strict=True))
        if places.count(HAND) <= 2 and given["meteor"] != WELL:
            found.append(given)
    return found


@pytest.mark.parametrize("given", placements(), ids=lambda given: "-".join(given.values()))
def test_every_outcome_for_spells(given: dict[str, str]) -> None:
    t = room(**given)
    t.owns(0, **{spell: 1 for spell, place in given.items() if place == HAND})
    assert spelled(t) == allowed(t)


def test_five_spells_in_one_room() -> None:
    """As many as two adventurers can have dropped there, beside the well's own."""
    t = room(bolt=HAND, fire=HAND, meteor=HERE, tornado=HERE, revive=HERE).owns(0, bolt=1, fire=1)
    assert spelled(t) == allowed(t)


@pytest.mark.parametrize("foes", [False, True])
@pytest.mark.parametrize(
    ("held", "lying"),
    [
        ({"d6": 1, "gold": 1}, {"d8": 1, "gold": 2}),
        ({"d6": 2, "potion": 1}, {"d6": 1, "d12": 1, "potion": 1}),
        ({"d4": 1, "d6": 1, "d8": 1, "gold": 2}, {"d4": 2, "d12": 1, "gold": 1}),
        ({}, {"d4": 1, "d6": 2, "potion": 2}),
        ({"d6": 1, "potion": 2, "bolt": 1, "fire": 1}, {"d6": 1, "meteor": 1}),
    ],
)
def test_every_outcome_for_goods(held: dict[str, int], lying: dict[str, int], foes: bool) -> None:
    t = room(meteor=HERE).owns(0, **held).lay(ROOM, **lying)
    if foes:
        t.enemies(ROOM, goblin=1)
    assert spelled(t) == allowed(t, foes)


def test_a_stride_in_between() -> None:
    """The eighth spell may be the third that sends another back, and is used afterwards."""
    t = Table(2, deck=load(deck_file(wells=WELLS))).place(n1=(0, 1), e1=(2, 0), w2=(-2, 0)).stand(0, ROOM).owns(0, bolt=1, eighth=1)
    t.do("take_meteor", "drop_bolt", "cast_eighth", "drop_meteor", "move_west")
    assert (t.lies("n1"), t.lies(ROOM), t.lies("w2"), t.where[0]) == ({"bolt": 1}, {"meteor": 1}, {"eighth": 1}, "east")
