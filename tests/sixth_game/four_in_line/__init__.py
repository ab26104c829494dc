"""Four in Line: discs are put on a five by five board, one a turn; four of a colour in a line win (RULES.md)."""
