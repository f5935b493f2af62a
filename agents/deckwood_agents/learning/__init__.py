"""Training: configuration, masked PPO, imitation, self-play, sweeps, and shipping what came of it."""
