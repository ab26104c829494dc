"""A simulated table and its players."""
