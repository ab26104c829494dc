"""The companion: sits beside a real board game, reads the table, judges moves and keeps the score."""

__version__ = "0.1.0"
