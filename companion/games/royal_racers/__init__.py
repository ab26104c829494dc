"""Royal Racers: what the companion knows of the game."""
