"""Royal Racers' table."""
