"""The driver: batches, position-level functions, errors, autoreset, truncation."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.game import Game
from deckwood.core.registry import GAMES
from tests.games import coin, pig

ARRAYS = (
    "obs",
    "mask",
    "reward",
    "terminated",
    "truncated",
    "actor",
    "final_obs",
    "final_mask",
    "ended",
    "episode_return",
    "episode_length",
)


def arrays(batch):
    return {name: getattr(batch, name).copy() for name in ARRAYS}


def assert_same(one, other):
    for name, array in arrays(one).items():
        assert np.array_equal(array, getattr(other, name)), name
    assert one.positions.tobytes() == other.positions.tobytes()


def test_shapes_and_types():
    solo, duo = Batch(coin.SPEC, 3, seed=1), Batch(pig.SPEC, 3, seed=1)
    assert solo.reward.shape == (3,)
    assert duo.reward.shape == (3, 2)
    assert solo.obs.dtype == np.float32
    assert solo.mask.dtype == np.int8
    assert solo.random_actions().dtype == np.int64
    assert repr(solo).startswith("Batch('test/Coin-v0', 3")
    assert repr(solo.spec) == "GameSpec('test/Coin-v0': 2 actions, 1 features, seats (1, 1))"


def test_games_do_not_depend_on_the_slot_or_the_number_of_slots():
    """A slot seeded with s plays, game after game, what a batch of one seeded with s plays."""
    many, seeds = Batch(pig.SPEC, 5, seed=[3, 1, 4, 1, 5], target=10), [3, 1, 4, 1, 5]
    alone = [Batch(pig.SPEC, 1, seed=seed, target=10) for seed in seeds]
    for _ in range(300):
        actions = many.random_actions()
        many.step(actions)
        for slot, batch in enumerate(alone):
            assert batch.random_actions()[0] == actions[slot]
            batch.step(actions[slot : slot + 1])
            assert np.array_equal(batch.obs[0], many.obs[slot])
            assert np.array_equal(batch.reward[0], many.reward[slot])


def test_one_seed_gives_every_slot_its_own_game():
    batch = Batch(coin.SPEC, 64, seed=0)
    other = Batch(coin.SPEC, 64, seed=1)
    assert len(np.unique(batch._b.keys, axis=0)) == 64
    assert not set(map(tuple, batch._b.keys.tolist())) & set(map(tuple, other._b.keys.tolist()))


def test_later_games_do_not_depend_on_earlier_play():
    """Game e of a slot starts alike whatever was played before it: the stream is that of (key, e)."""
    stop, flip = Batch(coin.SPEC, 1, seed=7), Batch(coin.SPEC, 1, seed=7)
    for _ in range(6):
        stop.step([coin.coin_rules.STOP])
        flip.step([coin.coin_rules.FLIP])
        while not flip.terminated[0]:
            flip.step([coin.coin_rules.FLIP])
        assert_start = stop.positions.tobytes()
        assert flip.positions.tobytes() == assert_start


def test_random_actions_do_not_change_the_dice():
    one, other = Batch(pig.SPEC, 2, seed=1), Batch(pig.SPEC, 2, seed=1)
    for _ in range(50):
        for _ in range(3):
            other.random_actions()
        one.step([0, 0])
        other.step([0, 0])
    assert_same(one, other)


def test_reset_equals_a_new_batch():
    batch = Batch(pig.SPEC, 4, seed=1)
    for _ in range(30):
        batch.step(batch.random_actions())
    batch.reset(seed=9)
    fresh = Batch(pig.SPEC, 4, seed=9)
    for name in ("obs", "mask", "reward", "terminated", "truncated", "actor", "ended"):
        assert np.array_equal(getattr(batch, name), getattr(fresh, name)), name
    assert batch.positions.tobytes() == fresh.positions.tobytes()
    for _ in range(50):
        actions = batch.random_actions()
        assert np.array_equal(actions, fresh.random_actions())
        batch.step(actions)
        fresh.step(actions)
        assert np.array_equal(batch.obs, fresh.obs)


def test_reset_without_a_seed_goes_on_to_the_next_game():
    batch = Batch(coin.SPEC, 1, seed=3)
    first = [batch.obs.copy()]
    for _ in range(8):
        batch.reset()
        first.append(batch.obs.copy())
    assert batch._b.episodes[0] == 8
    batch.reset(seed=3)
    assert np.array_equal(batch.obs, first[0])
    assert len(np.unique(np.concatenate(first))) > 1


def test_reset_of_some_slots():
    batch = Batch(pig.SPEC, 3, seed=1)
    batch.step([0, 0, 0])
    kept = batch.positions[[0, 2]].tobytes()
    batch.reset(slots=np.array([False, True, False]))
    assert batch.positions[[0, 2]].tobytes() == kept
    assert batch._b.episodes.tolist() == [0, 1, 0]


def test_an_illegal_action_changes_nothing_and_says_why():
    batch = Batch(pig.SPEC, 3, seed=1)
    batch.step([0, 0, 0])
    before, state = arrays(batch), batch.positions.tobytes()
    with pytest.raises(
        IllegalAction, match=r"test/Pig-v0 \(slot 2\): action 5 \(no such action\) is illegal at roll or hold; legal: 0 roll"
    ):
        batch.step([0, 0, 5])
    with pytest.raises(IllegalAction, match=r"slot 1"):
        batch.step([0, -1, 0])
    assert batch.positions.tobytes() == state
    assert all(np.array_equal(array, getattr(batch, name)) for name, array in before.items())


@pytest.mark.parametrize("actions", [[0], [[0, 0]], [0.0, 1.0], [True, False], ["a", "b"]])
def test_actions_of_a_wrong_kind_are_refused(actions):
    with pytest.raises(ValueError, match="actions must be 2 integers"):
        Batch(coin.SPEC, 2, seed=0).step(actions)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_actions_of_every_integer_type(dtype):
    batch = Batch(coin.SPEC, 2, seed=0)
    batch.step(np.zeros(2, dtype))


def test_a_users_writes_to_the_mask_do_not_reach_the_driver():
    batch = Batch(coin.SPEC, 1, seed=0)
    batch.mask[:] = 0
    batch.step(batch.random_actions())
    assert batch.mask.all()


def test_autoreset_keeps_what_ended():
    batch = Batch(coin.SPEC, 1, seed=0)
    total, steps, finished = 0.0, 0, 0
    for _ in range(200):
        batch.step(batch.random_actions())
        total, steps = total + batch.reward[0], steps + 1
        assert batch.mask[0].sum() == 2
        if batch.terminated[0]:
            finished += 1
            assert batch.episode_length[0] == steps
            assert batch.episode_return[0] == total
            assert not batch.final_mask[0].any()
            assert batch.ended[0] in (1, 2, 3)
            total, steps = 0.0, 0
        else:
            assert batch.ended[0] == 0
    assert finished > 10


def test_without_autoreset_a_game_stands_until_reset():
    batch = Batch(coin.SPEC, 1, seed=0, autoreset=False)
    batch.step([coin.coin_rules.STOP])
    assert batch.terminated[0]
    assert batch.actor[0] == -1
    assert not batch.mask.any()
    with pytest.raises(IllegalAction, match=r"the game is over; call reset\(\)"):
        batch.step([0])
    assert batch.reset()[0, 0] > -1
    assert batch.mask.all()


def test_truncation_shows_the_true_mask_and_last_observation():
    spec = dataclasses.replace(pig.SPEC, longest_game=9)
    batch = Batch(spec, 1, seed=0, target=100)
    while not batch.truncated[0]:
        batch.step([0])
    assert not batch.terminated[0]
    assert batch.final_mask.any()
    assert batch.ended[0] == 0
    stands = Batch(spec, 1, seed=0, target=100, autoreset=False)
    while not stands.truncated[0]:
        stands.step([0])
    assert stands.positions.decisions[0] == 9
    assert np.array_equal(stands.obs, batch.final_obs)
    with pytest.raises(IllegalAction, match="over"):
        stands.step([0])


def test_rewards_are_delivered_to_every_seat():
    batch = Batch(pig.SPEC, 1, seed=0, target=12)
    for _ in range(100):
        batch.step([1 if batch.mask[0, 1] else 0])
        if batch.terminated[0]:
            assert sorted(batch.reward[0]) == [-1, 1]
            assert np.array_equal(batch.episode_return, batch.reward)
        else:
            assert not batch.reward.any()


def test_forced_moves_are_played_and_logged():
    batch = Batch(pig.SPEC, 1, seed=0, log=100)
    events = batch.events()
    assert events[0].tolist() == [0, 0, -1]  # a turn begins with a roll
    assert events[1][0] == -1
    assert batch.positions.decisions[0] >= 1
    with pytest.raises(RuntimeError, match="larger log"):
        Batch(pig.SPEC, 1, seed=0, log=1).events()


def test_copies_go_on_as_the_original_would():
    batch = Batch(pig.SPEC, 4, seed=1, target=12)
    for _ in range(17):
        batch.step(batch.random_actions())
    saved = batch.save()
    twins = [batch.copy(), copy.deepcopy(batch)]
    foreign = Batch(pig.SPEC, 4, seed=5, target=12)
    foreign.load(saved)
    for _ in range(60):
        batch.step(batch.random_actions())
        for twin in (*twins, foreign):
            twin.step(twin.random_actions())
    for twin in (*twins, foreign):
        assert_same(batch, twin)


def test_pickle(monkeypatch):
    monkeypatch.setitem(GAMES, pig.SPEC.env_id, "tests.games.pig:SPEC")
    batch = Batch(pig.SPEC.env_id, 2, seed=1, target=14)
    for _ in range(9):
        batch.step(batch.random_actions())
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(40):
        batch.step(batch.random_actions())
        twin.step(twin.random_actions())
    assert_same(batch, twin)


def test_saved_games_of_another_game_are_refused_with_nothing_changed():
    batch = Batch(pig.SPEC, 2, seed=1)
    state = batch.positions.tobytes()
    good = batch.save()
    cases = {
        "not a saved game of format 2": b"",
        "format 1, which held a raw position and is no longer read; .* save the game again": b"deckwood snapshot 1\n{}",
        "digest": good[:100],
        "its digest does not match": good[:-1] + bytes([good[-1] ^ 1]),
        "env_id": Batch(coin.SPEC, 2, seed=1).save(),
        "options": Batch(pig.SPEC, 2, seed=1, target=50).save(),
        "has 3 slots, but this one has 2": Batch(pig.SPEC, 3, seed=1).save(),
    }
    for message, data in cases.items():
        with pytest.raises(SnapshotError, match=message):
            batch.load(data)
        assert batch.positions.tobytes() == state


def test_every_bit_of_a_saved_game_counts():
    batch = Batch(pig.SPEC, 1, seed=1, target=10)
    batch.step([0])
    good = batch.save()
    for bit in range(8 * len(good)):
        data = bytearray(good)
        data[bit // 8] ^= 1 << bit % 8
        with pytest.raises(SnapshotError):
            batch.load(bytes(data))
    assert batch.save() == good


def test_a_position_from_outside_cannot_be_saved():
    batch = Batch(pig.SPEC, 2, seed=1)
    position = batch.positions[[0]].copy()
    batch.set_positions(position, [1])
    with pytest.raises(SnapshotError, match=r"test/Pig-v0 \(slot 1\): the position was put there from outside"):
        batch.save()
    batch.reset(slots=[1])
    assert batch.save()
    batch.positions.scores[0] = 7
    with pytest.raises(SnapshotError, match=r"slot 0.*a change to `positions`"):
        batch.save()
    batch.copy_slots([1], [0])
    assert batch.save()


def test_a_reseeded_game_can_be_saved():
    """Its past was drawn from one stream, its future from another, and both count."""
    batch = Batch(pig.SPEC, 2, seed=1, target=90)
    for seed in range(40):
        batch.step(batch.random_actions())
        batch.reseed(seed)
    batch.step(batch.random_actions())
    other = Batch(pig.SPEC, 2, seed=3, target=90, log=1000)
    other.load(batch.save())
    assert other.save() == batch.save()
    assert other.events(1)[0].tolist() == [0, 0, -1]
    for _ in range(300):
        actions = batch.random_actions()
        assert np.array_equal(actions, other.random_actions())
        batch.step(actions)
        other.step(actions)
        assert np.array_equal(batch.obs, other.obs)
    assert batch.positions.tobytes() == other.positions.tobytes()


def test_a_long_game_is_saved_whole():
    batch = Batch(pig.SPEC, 3, seed=1, target=100)
    for _ in range(700):
        batch.step(np.where(batch.mask[:, 1], 1, 0))
    assert batch.positions.decisions.max() > 64
    other = Batch(pig.SPEC, 3, target=100)
    other.load(batch.save())
    assert other.positions.tobytes() == batch.positions.tobytes()


def test_the_history_of_a_batch_keeps_the_games_under_way_only():
    """A slot that stands still for ever does not make it grow, and each game's actions are those that were taken."""
    batch, rng = Batch(pig.SPEC, 4, seed=1, target=20), np.random.default_rng(0)
    taken = [[] for _ in range(4)]
    for _ in range(3000):
        slots = np.flatnonzero(rng.random(4) < [0.7, 0.5, 0.3, 0])
        actions = batch.random_actions()[slots]
        batch.step(actions, slots)
        for slot, action in zip(slots, actions, strict=True):
            taken[slot] = [] if batch.terminated[slot] else [*taken[slot], action]
        if rng.random() < 0.05:
            source, target = rng.integers(3, size=2)
            batch.copy_slots([source], [target])
            taken[target] = list(taken[source])
    assert [past.tolist() for past in batch._history.pasts()] == taken
    assert len(batch._history._actions) < 1000
    assert batch.save() == batch.copy().save()


def test_a_game_that_is_over_is_saved_with_its_end():
    batch = Batch(pig.SPEC, 1, seed=1, target=10, autoreset=False)
    while not batch.terminated[0]:
        batch.step(batch.random_actions())
    other = Batch(pig.SPEC, 1, target=10, autoreset=False)
    other.load(batch.save())
    assert_same(batch, other)
    with pytest.raises(IllegalAction, match="over"):
        other.step([0])


def test_copy_slots_and_set_positions():
    batch = Batch(pig.SPEC, 3, seed=1)
    for _ in range(5):
        batch.step(batch.random_actions())
    batch.copy_slots([0, 0], [1, 2])
    for _ in range(40):
        batch.step(batch.random_actions())
        assert np.array_equal(batch.obs[0], batch.obs[2])
    kept = batch.positions[[0]].copy()
    other = Batch(pig.SPEC, 2, seed=8)
    other.set_positions(kept, [1])
    assert other.positions[1] == kept[0]
    assert np.array_equal(other.obs[1], batch.obs[0])
    assert np.array_equal(other.mask[1], batch.mask[0])
    with pytest.raises(ValueError, match="2 records"):
        other.set_positions(kept)


def test_game_plays_a_batch_of_one():
    game = Game(pig.SPEC, target=15)
    batch = Batch(game, 1, seed=4, autoreset=False)
    position, stream = game.new(), game.stream(4)
    game.advance(position, stream)
    while not batch.terminated[0]:
        assert position.tobytes() == batch.positions.tobytes()
        assert np.array_equal(game.legal(position), batch.mask[0])
        assert np.array_equal(game.observe(position), batch.obs[0])
        action = int(batch.random_actions()[0])
        batch.step([action])
        game.apply(position, action)
        game.advance(position, stream)
    assert position.tobytes() == batch.positions.tobytes()


def test_game_refuses_what_cannot_be():
    game = Game(pig.SPEC)
    position = game.new()
    with pytest.raises(IllegalAction, match="hold"):
        game.apply(position, 1)
    with pytest.raises(ValueError, match="no chance event is pending: roll or hold"):
        game.chance(position)
    game.apply(position, 0)
    assert game.chance(position).tolist() == [1] * 6
    assert not game.legal(position).any()
    with pytest.raises(IllegalAction, match="nothing to decide: the die"):
        game.apply(position, 0)
    with pytest.raises(ValueError, match="outcome 6 cannot happen"):
        game.apply_chance(position, 6)
    with pytest.raises(ValueError, match="read-only"):
        game.apply_chance(np.frombuffer(position.tobytes(), pig.SPEC.dtype), 1)
    with pytest.raises(TypeError, match="one element"):
        game.observe(np.zeros(2, pig.SPEC.dtype).view(np.recarray))


def test_observation_from_another_seat():
    game = Game(pig.SPEC, target=10)
    position = game.new()
    position.scores[0] = (3, 7)
    assert game.observe(position, 0)[:2].tolist() == pytest.approx([0.3, 0.7])
    assert game.observe(position, 1)[:2].tolist() == pytest.approx([0.7, 0.3])
    assert position.mover[0] == 0


def test_options_and_decks(tmp_path):
    with pytest.raises(OptionError, match="has no option 'colour'; it has target"):
        Batch(pig.SPEC, 1, colour=1)
    with pytest.raises(OptionError, match="from 2 to 100"):
        Batch(pig.SPEC, 1, target=1)
    with pytest.raises(OptionError, match="already has"):
        Batch(Game(pig.SPEC), 1, target=10)
    with pytest.raises(ValueError, match="at least 1"):
        Batch(pig.SPEC, 0)
    loaded = tmp_path / "loaded"
    loaded.write_text("0 0 0 0 0 1")
    batch = Batch(pig.SPEC, 1, deck=loaded, seed=0)
    assert batch.positions.turn[0] == 6  # the first roll, and no recompilation
