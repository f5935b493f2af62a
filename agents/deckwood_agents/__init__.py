"""Agents for deckwood's games: scripted players, masked PPO, training and evaluation."""

import os

# PyTorch's threads would otherwise spin while they wait for each other: a second process on the same cores then slows both many times over.
# It is read once, when PyTorch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
