"""Every registered game keeps the contract."""

import pytest

import deckwood
from deckwood.core.conformance import check_game


@pytest.mark.parametrize("env_id", deckwood.games())
def test_conformance(env_id):
    assert check_game(env_id, games=30).games == 30
