"""Agents for deckwood's games: scripted players, masked PPO, training and evaluation."""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import deckwood  # noqa: F401 - under "python -m" it lets Ctrl-C during imports end them by one line

# PyTorch's threads would otherwise spin while they wait for each other: a second process on the same cores then slows both many times over.
# It is read once, when PyTorch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

FORMER = {
    "sb3": "players.policy",
    "rollouts": "learning.rollouts",
    "selfplay": "learning.selfplay",
    "training": "learning.schedule",
}
"""Modules that checkpoints name, by ``MaskablePPO.save``, and where they lie now."""


class _Former(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(f"{__name__}.{FORMER[self.__name__.rpartition('.')[2]]}"), name)


sys.modules.update({f"{__name__}.{name}": _Former(f"{__name__}.{name}") for name in FORMER})
