"""What the players see: screen, words, annotated pictures."""
