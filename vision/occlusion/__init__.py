"""Hands, shadows, changed light: what hides cells, and whether a frame is still."""
