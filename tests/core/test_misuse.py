"""Misuse of the driver: every number that reaches compiled rules is refused where it does not fit, and nothing has changed then."""

import dataclasses
import threading

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction
from deckwood.core.game import Game
from deckwood.core.indices import indices
from deckwood.core.stream import slot_keys
from tests.games import coin, pig, stuck
from tests.threads import held_elsewhere

WRONG_SLOTS = [
    ([0, 0], ValueError, "found 0 more than once"),
    ([2, 1, 2], ValueError, "found 2 more than once"),
    ([-1], IndexError, "found -1; allowed: 0 to 2"),
    ([3], IndexError, "found 3; allowed: 0 to 2"),
    ([2**63], IndexError, "allowed: 0 to 2"),
    (np.array([1], np.uint64) + np.uint64(2**63), IndexError, "allowed: 0 to 2"),
    ([2**70], TypeError, "whole numbers or a bool mask, not object"),
    ([0.0], TypeError, "whole numbers or a bool mask, not float64"),
    (["0"], TypeError, "whole numbers or a bool mask"),
    ([[0, 1]], ValueError, r"flat, \(k,\), not of shape \(1, 2\)"),
    (1, ValueError, "flat"),
    ([True, False], ValueError, r"a mask has shape \(3,\), not \(2,\)"),
    ([[True, False, True]], ValueError, r"a mask has shape \(3,\)"),
]
DOORS = {
    "step": lambda batch, slots: batch.step([0] * np.size(slots), slots),
    "reset": lambda batch, slots: batch.reset(slots=slots),
    "reset with a seed": lambda batch, slots: batch.reset(1, slots=slots),
    "set_positions": lambda batch, slots: batch.set_positions(batch.positions[: np.size(slots)].copy(), slots),
    "copy_slots": lambda batch, slots: batch.copy_slots([0] * np.size(slots), slots),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("slots", "error", "message"), WRONG_SLOTS)
def test_slots_that_there_are_not_are_refused_with_nothing_changed(door, slots, error, message):
    batch = Batch(pig.SPEC, 3, seed=1, log=50)
    before = batch.save()
    with pytest.raises(error, match=message):
        DOORS[door](batch, slots)
    assert batch.save() == before


def test_sources_of_a_copy_are_checked_too():
    batch = Batch(pig.SPEC, 3, seed=1)
    with pytest.raises(IndexError, match="source: found -1; allowed: 0 to 2"):
        batch.copy_slots([-1], [0])
    with pytest.raises(ValueError, match="2 source slots for 1 target slots"):
        batch.copy_slots([1, 2], [0])


def test_what_a_slot_may_be():
    assert indices(None, 3, "slots").tolist() == [0, 1, 2]
    assert indices([2, 0], 3, "slots").tolist() == [2, 0]
    assert indices([], 3, "slots").tolist() == []
    assert indices([False, True, True], 3, "slots").tolist() == [1, 2]
    assert indices(np.array([2, 1], np.uint8), 3, "slots").dtype == np.int64
    assert indices([1, 1], 3, "slots", unique=False).tolist() == [1, 1]


@pytest.mark.parametrize("slot", [-1, 3, 2**70])
def test_a_single_slot_does_not_count_from_the_end(slot):
    batch = Batch(pig.SPEC, 3, seed=1, log=50)
    for ask in (batch.memory, batch.events):
        with pytest.raises(IndexError, match=r"slot=-?\d+: must be from 0 to 2"):
            ask(slot)
        with pytest.raises(TypeError, match="slot=True: must be a whole number"):
            ask(True)


def test_one_slot_cannot_be_stepped_twice_at_once():
    """The second action was checked before the first was played, and then applied although it had become illegal."""
    batch = Batch(coin.SPEC, 1, seed=0, autoreset=False)
    with pytest.raises(ValueError, match="more than once"):
        batch.step([coin.coin_rules.STOP, coin.coin_rules.FLIP], [0, 0])
    assert not batch.terminated[0]


@pytest.mark.parametrize("action", [-1, 2, 2**31, 2**63, 2**70, -(2**70)])
def test_actions_of_any_size_are_refused_by_name(action):
    batch = Batch(coin.SPEC, 1, seed=0)
    with pytest.raises(IllegalAction, match=rf"action {action} \(no such action\)"):
        batch.step_one(action)
    game = batch.game
    with pytest.raises(IllegalAction, match=rf"action {action} \(no such action\)"):
        game.apply(batch.positions.copy(), action)


@pytest.mark.parametrize("action", [0.0, "0", None, 1.5])
def test_actions_that_are_no_whole_numbers_are_refused(action):
    batch = Batch(coin.SPEC, 1, seed=0)
    game = batch.game
    for play in (
        batch.step_one,
        lambda number: game.apply(batch.positions.copy(), number),
        lambda number: game.apply_chance(game.new(), number),
    ):
        with pytest.raises(TypeError):
            play(action)


def test_step_one_is_for_a_batch_of_one():
    with pytest.raises(ValueError, match="has 2 slots"):
        Batch(coin.SPEC, 2, seed=0).step_one(0)


def test_outcomes_of_no_weight_are_refused(tmp_path):
    loaded = tmp_path / "loaded"
    loaded.write_text("0 0 0 0 0 1")
    game = Game(pig.SPEC, deck=loaded)
    position = game.new()
    game.apply(position, 0)
    for outcome in (-1, 0, 6, 2**70):
        with pytest.raises(ValueError, match="cannot happen"):
            game.apply_chance(position, outcome)
    game.apply_chance(position, 5)


@pytest.mark.parametrize("seat", [-1, 2, 100, 2**70])
def test_nobody_sits_on_a_seat_that_there_is_not(seat):
    game = Game(pig.SPEC)
    with pytest.raises(IndexError, match="must be from 0 to 1"):
        game.observe(game.new(), seat)


WRONG_POSITIONS = [None, "abc", np.zeros(1), np.zeros(1, coin.SPEC.dtype), np.zeros((), pig.SPEC.dtype), np.zeros(2, pig.SPEC.dtype)]


@pytest.mark.parametrize("position", WRONG_POSITIONS, ids=range(len(WRONG_POSITIONS)))
def test_what_is_no_position_is_refused_everywhere(position):
    game = Game(pig.SPEC)
    for call in (game.legal, game.chance, game.observe, game.phase, lambda p: game.apply(p, 0), lambda p: game.advance(p, game.stream(1))):
        with pytest.raises(TypeError, match=r"a position of test/Pig-v0 is a record array of one element, not"):
            call(position)
    with pytest.raises((TypeError, ValueError), match=r"positions must be"):
        Batch(game, 3, seed=0).set_positions(position)


def test_positions_that_lie_across_words_are_read_but_not_played_on():
    game = Game(pig.SPEC)
    position = game.new()
    room = np.zeros(position.nbytes + 1, np.uint8)
    room[1:] = position.view(np.ndarray).view(np.uint8)
    odd = room[1:].view(pig.SPEC.dtype)
    assert not odd.flags.aligned
    assert np.array_equal(game.legal(odd), game.legal(position))
    with pytest.raises(ValueError, match="copy it first"):
        game.apply(odd, 0)


@pytest.mark.parametrize("stream", [None, [1, 2, 3, 4], np.zeros(4), np.zeros(3, np.int64), np.zeros((1, 4), np.int64)])
def test_what_is_no_stream_is_refused(stream):
    game = Game(pig.SPEC)
    with pytest.raises(TypeError, match="a stream is an int64 array"):
        game.advance(game.new(), stream)


@pytest.mark.parametrize("seed", [1.5, "1", True, b"1", [1.5, 2], ["1", "2"], [True, False]])
def test_seeds_are_whole_numbers(seed):
    with pytest.raises(TypeError, match=r"seed=.*must be a whole number"):
        slot_keys(seed, 2)


@pytest.mark.parametrize("seed", [-1, [1, -1], [1], [1, 2, 3], []])
def test_seeds_below_nought_and_too_few_are_refused(seed):
    batch = Batch(pig.SPEC, 2, seed=1)
    before = batch.save()
    with pytest.raises(ValueError, match="seed"):
        batch.reset(seed)
    assert batch.save() == before


@pytest.mark.parametrize(("name", "value"), [("num_envs", 1.5), ("num_envs", True), ("log", 2.0), ("log", "3")])
def test_sizes_are_whole_numbers(name, value):
    with pytest.raises(TypeError, match=f"{name}=.*must be a whole number"):
        Batch(pig.SPEC, **{"num_envs": 1, name: value})
    with pytest.raises(ValueError, match="log=-1: must be at least 0"):
        Batch(pig.SPEC, 1, log=-1)


@pytest.mark.parametrize("way", range(len(stuck.WAYS)), ids=stuck.WAYS)
def test_a_game_in_which_nothing_can_happen_is_cut(way):
    """The driver read on past the end of a mask without a legal action."""
    batch = Batch(stuck.SPEC, 1, seed=1, autoreset=False)
    batch.step([way])
    assert (bool(batch.truncated[0]), bool(batch.terminated[0]), int(batch.ended[0])) == (True, False, 0)
    assert not batch.final_mask.any()
    with pytest.raises(IllegalAction, match="the game is over"):
        batch.step([way])
    batch.reset()
    assert batch.mask.all()
    goes_on = Batch(stuck.SPEC, 2, seed=1)
    goes_on.step([way, way])
    assert goes_on.truncated.all()
    assert goes_on.mask.all()


def test_a_game_that_is_over_at_its_start_says_why():
    spec = dataclasses.replace(stuck.SPEC, why_cut=lambda s, deck: "the lamp blinds" if s.node == 2 else "")
    with pytest.raises(RuntimeError, match=r"'lamp': True\}: the game was over before its first decision \(the lamp blinds\)"):
        Batch(spec, 2, seed=1, lamp=True)
    with pytest.raises(RuntimeError, match=r"the game was over before its first decision$"):
        Batch(stuck.SPEC, 1, seed=1, lamp=True)


# Threads.


def in_threads(n, work):
    found, errors = [None] * n, []

    def run(number):
        try:
            found[number] = work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found, errors


def test_threads_may_share_a_game():
    """Masks, weights and observations of one thread are not those of another's position."""
    game = Game(pig.SPEC)
    rolling = game.new()
    rolling.turn[0] = 0
    holding = game.new()
    holding.turn[0], holding.scores[0] = 9, (3, 7)
    wanted = [(game.legal(p).tolist(), game.observe(p).tolist()) for p in (rolling, holding)]
    assert wanted[0] != wanted[1]

    def work(number):
        position = (rolling, holding)[number % 2].copy()
        return sum((game.legal(position).tolist(), game.observe(position).tolist()) != wanted[number % 2] for _ in range(3000))

    found, errors = in_threads(4, work)
    assert not errors
    assert found == [0] * 4


def test_scratch_is_a_threads_own():
    game = Game(pig.SPEC)
    found, errors = in_threads(2, lambda number: game._scratch.buffers)
    assert not errors
    assert len({id(buffers.legal) for buffers in (*found, game._scratch.buffers)}) == 3


def test_a_batch_is_stepped_by_one_thread_at_a_time():
    batch = Batch(pig.SPEC, 2, seed=1)
    before = batch.save()
    with held_elsewhere(batch._one_thread):
        calls = [
            lambda: batch.step([0, 0]),
            batch.reset,
            batch.random_actions,
            batch.copy,
            lambda: batch.reseed(1),
            lambda: batch.load(before),
            lambda: batch.copy_slots([0], [1]),
            lambda: batch.set_positions(batch.positions.copy()),
        ]
        for call in calls:
            with pytest.raises(RuntimeError, match="two threads use one Batch"):
                call()
    assert batch.save() == before
    batch.step([0, 0])


def test_an_interrupt_does_not_shut_a_batch():
    """Ctrl-C may come just after the door was entered; whoever goes on afterwards is the same thread."""
    batch = Batch(pig.SPEC, 2, seed=1)
    batch._one_thread.__enter__()
    batch.step(batch.random_actions())


# Anything at all.


def test_no_call_does_more_than_raise():
    """Seeded calls with arguments of every kind: refused with nothing changed, or played by the rules."""
    rng = np.random.default_rng(17)
    game = Game(pig.SPEC, target=10)
    batch = Batch(game, 3, seed=1, log=20)
    numbers = [
        0,
        1,
        2,
        3,
        -1,
        -2,
        7,
        2**31,
        2**63,
        -(2**63),
        2**70,
        0.0,
        1.5,
        np.nan,
        True,
        None,
        "0",
        np.int8(1),
        np.uint64(2**63),
        [],
        [0],
    ]
    arrays = [
        *([n] for n in numbers),
        [0, 1],
        [0, 1, 2],
        [2, 0],
        [0, 0],
        [[0, 1, 2]],
        np.array([True, False, True]),
        np.array([True, False]),
        np.array([1, 0], np.uint8),
        np.array([], np.int64),
        np.zeros((3, 0)),
    ]
    positions = [batch.positions, batch.positions[:1], batch.positions[:0], np.zeros(3), coin.SPEC, None, np.zeros(1, coin.SPEC.dtype)]

    def pick(*pools):
        pool = pools[rng.integers(len(pools))]
        found = pool[rng.integers(len(pool))]
        return found.copy() if isinstance(found, np.ndarray) else found

    calls = {
        "step": lambda: batch.step(pick(arrays), pick(arrays, numbers)),
        "step all": lambda: batch.step(pick(arrays)),
        "reset": lambda: batch.reset(pick(arrays, numbers), pick(arrays, numbers)),
        "copy_slots": lambda: batch.copy_slots(pick(arrays, numbers), pick(arrays, numbers)),
        "set_positions": lambda: batch.set_positions(pick(positions), pick(arrays, numbers)),
        "metrics": lambda: batch.metrics(pick(arrays, numbers)),
        "memory": lambda: batch.memory(pick(numbers, arrays)),
        "events": lambda: batch.events(pick(numbers, arrays)),
        "reseed": lambda: batch.reseed(pick(numbers, arrays)),
        "apply": lambda: game.apply(pick(positions), pick(numbers)),
        "apply_chance": lambda: game.apply_chance(pick(positions), pick(numbers)),
        "observe": lambda: game.observe(pick(positions), pick(numbers)),
        "legal": lambda: game.legal(pick(positions)),
        "advance": lambda: game.advance(pick(positions), pick(arrays)),
        "stream": lambda: game.stream(pick(numbers), pick(numbers)),
    }
    names, done, refused = list(calls), 0, 0
    for _ in range(2000):
        before, state = {name: array.tobytes() for name, array in batch._state().items()}, batch.positions.tobytes()
        try:
            calls[names[rng.integers(len(names))]]()
            done += 1
        except (TypeError, ValueError, IndexError, RuntimeError):
            refused += 1
            assert batch.positions.tobytes() == state
            assert all(array.tobytes() == before[name] for name, array in batch._state().items() if name not in ("past", "weights"))
        if rng.random() < 0.1:
            batch.step(batch.random_actions())
    assert min(done, refused) > 200
    assert batch.mask.any(axis=1).all()
