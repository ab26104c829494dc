"""The simulated table, and the players round it."""
