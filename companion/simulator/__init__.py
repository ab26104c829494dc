"""The simulated table, and the people round it."""
