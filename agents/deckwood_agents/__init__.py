"""Agents for deckwood's games: scripted players, masked PPO, training and evaluation."""
