"""Every registered game keeps the contract."""

import pytest

import deckwood
from deckwood.core.conformance import check_game

# Multiplayer games at every size of table. Random play goes on for ever in Lost Woods, so it is cut sooner than by default.
TABLES = {"deckwood/LostWoods-v1": [{"num_players": players, "turn_limit": 20} for players in range(2, 7)]}
FIGHTS = [(tier, effects) for tier in ("small", "medium", "full") for effects in (False, True) if (tier, effects) != ("full", True)]
OPTIONS = {**TABLES, "deckwood/DiceCommit-v1": [{"tier": tier, "effects": effects} for tier, effects in FIGHTS]}
CASES = [(env_id, options) for env_id in deckwood.games() for options in OPTIONS.get(env_id, [{}])]


@pytest.mark.parametrize(("env_id", "options"), CASES)
def test_conformance(env_id, options):
    games = 6 if options else 30
    assert check_game(env_id, games=games, **options).games == games
