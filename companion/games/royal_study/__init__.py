"""The Royal Study: what the companion knows of the game."""
