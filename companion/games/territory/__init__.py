"""Territory: what the companion knows of the game."""
