"""What every 20 Strong deck shares: dice, stats, the engagement, effects, items and heroes."""
