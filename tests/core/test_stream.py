"""Streams: known words, no bias, independence of slots."""

import numpy as np
import pytest

from deckwood.core.stream import below, draw, new_stream, next_word, seed_stream, slot_keys


def reference_sfc32(a: int, b: int, c: int, counter: int) -> "list[int]":
    """sfc32 on uint32 arithmetic, written apart from ours."""
    with np.errstate(over="ignore"):
        a, b, c, counter = (np.uint32(word) for word in (a, b, c, counter))
        out = []
        for _ in range(115):
            word = a + b + counter
            counter += np.uint32(1)
            a = b ^ (b >> np.uint32(9))
            b = c + (c << np.uint32(3))
            c = ((c << np.uint32(21)) | (c >> np.uint32(11))) + word
            out.append(int(word))
    return out[15:]


@pytest.mark.parametrize("key", [(1, 2, 3), (0, 0, 0), (0xFFFFFFFF, 0x80000000, 12345)])
@pytest.mark.parametrize("episode", [0, 1, 77])
def test_words_are_those_of_sfc32(key, episode):
    stream = np.zeros(4, np.int64)
    seed_stream(stream, np.array(key, np.int64), episode)
    assert [next_word(stream) for _ in range(100)] == reference_sfc32(*key, episode)


def test_below_is_uniform_and_in_range():
    stream = new_stream(1)
    counts = np.bincount([below(stream, 6) for _ in range(60_000)], minlength=6)
    assert len(counts) == 6
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 25  # chi-squared, 5 degrees of freedom: p about 1e-4


def test_below_rejects_where_the_range_does_not_divide():
    bound = 3 * 2**29  # a third of all words would fall twice as often without rejection
    stream = new_stream(2)
    low = sum(below(stream, bound) < 2**30 for _ in range(30_000))
    assert abs(low - 20_000) < 400


def test_draw_follows_the_weights_and_skips_zeros():
    stream, weights = new_stream(3), np.array([0, 3, 0, 1, 99], np.int32)
    counts = np.bincount([draw(stream, weights, 4) for _ in range(40_000)], minlength=4)
    assert counts[0] == counts[2] == 0
    assert abs(counts[1] - 30_000) < 400


def test_keys_are_words_of_seed_sequences():
    keys = slot_keys(5, 3)
    for slot in range(3):
        assert keys[slot, :3].tolist() == np.random.SeedSequence(5, spawn_key=(slot,)).generate_state(3).tolist()
    assert np.array_equal(slot_keys([5, 9], 2)[0], keys[0])
    assert len(np.unique(np.concatenate([slot_keys(0, 64), slot_keys(1, 64)]), axis=0)) == 128
    with pytest.raises(ValueError, match="2 entries for 3 slots"):
        slot_keys([1, 2], 3)


def test_no_seed_differs_each_time():
    assert not np.array_equal(slot_keys(None, 1), slot_keys(None, 1))
