"""The former name of what checkpoints have pickled: ``MaskablePPO.load`` asks for it. Nothing else should."""

from deckwood_agents.players.policy import AdvisedHeads, Features, MaskedCategorical, MaskedPolicy

__all__ = ["AdvisedHeads", "Features", "MaskedCategorical", "MaskedPolicy"]
