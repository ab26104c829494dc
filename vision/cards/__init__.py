"""Which playing card a picture of one card shows, as probabilities."""
