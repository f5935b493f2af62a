"""``docs/results.md``: every agent on every deck, recomputed by ``python -m deckwood_agents.results`` (``make results``).

- :mod:`~deckwood_agents.results.plan` lists what is measured;
- :mod:`~deckwood_agents.results.raw` plays it and keeps a row per game, so that nothing is played twice;
- :mod:`~deckwood_agents.results.runs` keeps what the page needs of training runs;
- :mod:`~deckwood_agents.results.pictures` and :mod:`~deckwood_agents.results.page` show it.
"""

from deckwood_agents.extras import require_train

require_train(__name__)
