"""Boards, cards, pieces and sheets on paper, to scale, from the same table files as reading."""
