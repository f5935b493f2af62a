"""Training: configuration, masked PPO, imitation, self-play, sweeps, and shipping the results."""
