"""Boards, cards, pieces and sheets on paper, to scale, from the table files that reading uses. It names no game."""
