"""What scripted players of every 20 Strong deck share."""
