"""Drawn card decks."""
