"""The former name of what checkpoints have pickled: ``MaskablePPO.load`` asks for it. Nothing else should."""

from deckwood_agents.learning.selfplay import SelfPlayBuffer

__all__ = ["SelfPlayBuffer"]
