"""From pixels to probabilities: knows tables and labels, never rules."""
