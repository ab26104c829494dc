"""Territory's table."""
