"""What is worked out once and kept: the sheet of dice to commit, fitted weights and prospects."""

from deckwood_agents.extras import require_train

require_train(__name__)
