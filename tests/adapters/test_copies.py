"""Copies, pickles and threads of environments, and who has won: the same for all adapters."""

import copy
import pickle
import threading

import numpy as np
import pytest

from deckwood.adapters.gymnasium_env import DeckwoodEnv
from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv
from deckwood.adapters.vector import DeckwoodVectorEnv
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError
from deckwood.core.registry import GAMES
from tests.games import coin, door, guess, pig

MADE = {
    "single": lambda: DeckwoodEnv(coin.SPEC.env_id),
    "several players": lambda: DeckwoodAECEnv(pig.SPEC.env_id),
    "vector": lambda: DeckwoodVectorEnv(coin.SPEC.env_id, 3),
}
COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    for name, spec in (("coin", coin.SPEC), ("pig", pig.SPEC)):
        monkeypatch.setitem(GAMES, spec.env_id, f"tests.games.{name}:SPEC")


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("made", MADE)
def test_copies_of_an_environment_that_was_never_reset_play_games_of_their_own(made, copied):
    env = MADE[made]()
    twins = [env, *(COPIES[copied](env) for _ in range(3))]
    if made == "vector":
        twins[0].reset(options={"reset_mask": np.array([True, False, True])})
        twins = twins[1:]
    for twin in twins:
        twin.reset()
    keys = {twin.batch._b.keys.tobytes() for twin in (env, *twins)}
    assert len(keys) == len({id(twin) for twin in (env, *twins)})


@pytest.mark.parametrize("made", MADE)
def test_a_seed_decides_the_first_game_whatever_was_copied(made):
    env = MADE[made]()
    twin = copy.deepcopy(env)
    for each in (env, twin):
        each.reset(seed=5)
    assert env.batch.positions.tobytes() == twin.batch.positions.tobytes()
    assert env.batch._b.keys.tobytes() == twin.batch._b.keys.tobytes()


@pytest.mark.parametrize("copied", COPIES)
def test_a_vector_environment_is_copied_in_the_middle_of_its_games(copied):
    env = MADE["vector"]()
    env.reset(seed=1)
    for _ in range(10):
        env.step(env.random_actions())
    twin = COPIES[copied](env)
    for _ in range(50):
        actions = env.random_actions()
        assert np.array_equal(twin.random_actions(), actions)
        for one, other in zip(env.step(actions)[:4], twin.step(actions)[:4], strict=True):
            assert np.array_equal(one, other)
    assert twin.game_spec.env_id == env.game_spec.env_id


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        (np.array([1, 0, 0], np.int8), TypeError),
        (np.array([1.0, 0.0, 0.0]), TypeError),
        ([0, 2], TypeError),
        (np.array([True, False]), ValueError),
        (np.ones(4, bool), ValueError),
        (np.ones((3, 1), bool), ValueError),
        (True, ValueError),
    ],
)
def test_a_reset_mask_is_a_mask(mask, error):
    env = MADE["vector"]()
    env.reset(seed=1)
    before = env.batch.save()
    with pytest.raises(error, match="reset_mask"):
        env.reset(options={"reset_mask": mask})
    assert env.batch.save() == before


def test_clones_may_be_asked_in_threads_of_their_own():
    """Clones of one environment write what they see on scratch of their thread's own."""
    env = MADE["several players"]()
    env.reset(seed=1)
    clones = [env.clone(number) for number in range(4)]
    for number, clone in enumerate(clones):
        clone.batch.positions.scores[0] = (number, 20 - number)
    wanted = [clone.state().tolist() for clone in clones]
    wrong = []

    def work(number):
        wrong.extend(number for _ in range(1000) if clones[number].state().tolist() != wanted[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(clones))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# Who has won.


def test_one_definition_of_winning():
    marked, unmarked = guess.SPEC, coin.SPEC
    assert marked.won([0, 1, 2], [1.0, 0.0, 1.0]).tolist() == [False, True, False]
    assert unmarked.won([1, 2, 3], [9.0, 10.0, 10.0]).tolist() == [False, True, True]
    assert not marked.won(0, 1.0)


def test_a_game_that_was_cut_is_not_recorded_as_its_last_ending():
    game = Campaign(door.SPEC)
    cut = game.game.new()
    cut.node[0], cut.ended[0] = 2, 0
    with pytest.raises(CampaignError, match="cut by a limit"):
        game.record(cut)
    assert game.games == 0


@pytest.mark.parametrize("spec", [guess.SPEC, coin.SPEC], ids=lambda spec: spec.name)
def test_every_end_says_whether_it_was_won(spec):
    env = DeckwoodEnv(spec)
    vector = DeckwoodVectorEnv(spec, 1)
    _, info = env.reset(seed=3)
    vector.reset(seed=3)
    while True:
        action = np.flatnonzero(info["action_mask"])[:1]
        *_, terminated, _, info = env.step(int(action[0]))
        *_, final = vector.step(action)
        if terminated:
            break
    assert info["won"] == spec.won(env.batch.ended[0], env.batch.episode_return[0])
    assert final["final_info"]["won"].tolist() == [info["won"]]
