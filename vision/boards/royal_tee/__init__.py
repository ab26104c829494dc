"""Royal Tee's table."""
